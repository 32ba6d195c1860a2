import { Page } from '../ui/page.js';
import { EmailForm } from './email-form.js';
import { PasswordForm } from './password-form.js';
import { SessionList } from './session-list.js';

export function AccountPage() {
  return (
    <Page title="Account">
      <EmailForm />
      <PasswordForm />
      <SessionList />
    </Page>
  );
}
