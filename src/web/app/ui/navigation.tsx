import { useApp } from '../data/app-context.js';
import { useAction } from '../data/use-action.js';

/** The pages of a user, and the way out. */
export function Navigation() {
  const { client, paths } = useApp();
  const logOut = useAction(() => client.session.logOut());
  return (
    <nav aria-label="Pages">
      <a href={paths.root}>Groups</a>
      <a href={paths.account}>Account</a>
      <button type="button" class="plain" onClick={logOut.run}>
        Log out
      </button>
    </nav>
  );
}
