import { useApp } from '../data/app-context.js';
import { Page } from '../ui/page.js';
import { EmailHint } from './email-hint.js';
import { Inbox } from './inbox.js';
import { MembershipList } from './membership-list.js';

/** What the user is invited to, and their groups. */
export function HomePage() {
  const { paths } = useApp();
  return (
    <Page title="Your groups">
      <EmailHint />
      <Inbox />
      <MembershipList />
      <p class="after">
        <a class="button" href={paths.newGroup}>
          New group
        </a>
      </p>
    </Page>
  );
}
