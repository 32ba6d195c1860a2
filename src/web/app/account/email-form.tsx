import { useState } from 'preact/hooks';
import { UpdateProfileDocument, ViewerDocument, type ViewerQuery } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useQuery } from '../data/use-query.js';
import { Field } from '../forms/field.js';
import { Form, type Values } from '../forms/form.js';
import { PasswordField } from '../forms/password-field.js';
import { Loading } from '../ui/loading.js';

type Viewer = ViewerQuery['me'];

/** Who is logged in, and their email address. */
export function EmailForm() {
  const { data, error, reload } = useQuery(ViewerDocument, {});
  if (data === null) return <Loading error={error} onRetry={reload} />;
  return (
    <section>
      <p>
        You are logged in as <strong>{data.me.username}</strong>. {addressOf(data.me)}
      </p>
      <ChangeEmail email={data.me.email} />
    </section>
  );
}

function addressOf({ email, emailVerified }: Viewer): string {
  if (email === null) return 'There is no email address of yours.';
  return emailVerified ? `Your email address is ${email}.` : `Your email address is ${email}, and not confirmed yet.`;
}

function ChangeEmail({ email }: Pick<Viewer, 'email'>) {
  const { client } = useApp();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const change = async ({ email: address = '', currentPassword = '' }: Values) => {
    await client.run(UpdateProfileDocument, { input: { email: address, currentPassword } });
    setSentTo(address);
  };
  return (
    <details>
      <summary>{email === null ? 'Add an email address' : 'Change the email address'}</summary>
      <Form key={sentTo} onSubmit={change} button="Save">
        <Field label="Email" name="email" type="email" autocomplete="email" required />
        <PasswordField label="Current password" name="currentPassword" autocomplete="current-password" />
      </Form>
      <p role="status" class="success">
        {sentTo !== null && `A link is on its way to ${sentTo}. The address is yours when you have followed it.`}
      </p>
    </details>
  );
}
