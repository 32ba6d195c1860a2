import { useState } from 'preact/hooks';
import { ChangePasswordDocument } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { Form, type Values } from '../forms/form.js';
import { NewPasswordField } from '../forms/new-password-field.js';
import { PasswordField } from '../forms/password-field.js';

export function PasswordForm() {
  const { client } = useApp();
  const [ended, setEnded] = useState<number | null>(null);
  const change = async ({ currentPassword = '', newPassword = '' }: Values) => {
    setEnded(null);
    const { changePassword } = await client.run(ChangePasswordDocument, { input: { currentPassword, newPassword } });
    setEnded(changePassword.revokedSessions);
  };
  return (
    <section>
      <h2>Password</h2>
      {/* The form is new and empty after a change. */}
      <Form key={ended} onSubmit={change} button="Change password">
        <PasswordField label="Current password" name="currentPassword" autocomplete="current-password" />
        <NewPasswordField label="New password" name="newPassword" />
      </Form>
      <p role="status" class="success">
        {ended !== null && `Your password is changed. Other sessions that ended with it: ${ended}.`}
      </p>
    </section>
  );
}
