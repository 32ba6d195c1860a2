import { useState } from 'preact/hooks';
import { useApp } from '../data/app-context.js';
import { Page } from '../ui/page.js';
import { EmailHint } from './email-hint.js';
import { Inbox } from './inbox.js';
import { MembershipList } from './membership-list.js';

/** What the user is invited to, and their groups. */
export function HomePage() {
  const { paths } = useApp();
  const [answers, setAnswers] = useState(0);
  return (
    <Page title="Your groups">
      <EmailHint />
      <Inbox
        onAnswered={() => {
          setAnswers(answers + 1);
        }}
      />
      <MembershipList key={answers} />
      <p class="after">
        <a class="button" href={paths.newGroup}>
          New group
        </a>
      </p>
    </Page>
  );
}
