import { RevokeSessionDocument, SessionsDocument, type SessionsQuery } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useAction } from '../data/use-action.js';
import { useQuery } from '../data/use-query.js';
import { ActionButton } from '../ui/action-button.js';
import { ErrorMessage } from '../ui/error-message.js';
import { Loading } from '../ui/loading.js';
import { dateAndTime } from '../ui/words.js';
import { describeUserAgent } from './describe-user-agent.js';

type SessionOfUser = SessionsQuery['me']['sessions'][number];

/** Where the user is logged in. */
export function SessionList() {
  const { data, error, reload } = useQuery(SessionsDocument, {});
  return (
    <section>
      <h2>Sessions</h2>
      {data === null ? (
        <Loading error={error} onRetry={reload} />
      ) : (
        <ul>
          {data.me.sessions.map((session) => (
            <SessionItem key={session.id} session={session} onEnded={reload} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface SessionItemProps {
  readonly session: SessionOfUser;
  readonly onEnded: () => void;
}

function SessionItem({ session, onEnded }: SessionItemProps) {
  const { client } = useApp();
  const end = useAction(async () => {
    await client.run(RevokeSessionDocument, { input: { sessionId: session.id } });
    onEnded();
  });
  return (
    <li class="row">
      <span class="person">
        {describeUserAgent(session.userAgent)}
        <span class="does">
          {session.address ?? 'Unknown address'} · last used {dateAndTime(session.lastUsedAt)}
        </span>
      </span>
      {session.current ? (
        <span class="badge accepted">This browser</span>
      ) : (
        <ActionButton action={end} class="secondary">
          End it
        </ActionButton>
      )}
      <ErrorMessage error={end.error} />
    </li>
  );
}
