import { sendOperation } from '../../api/send-operation.js';
import { RegisterDocument } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { Field } from '../forms/field.js';
import { Form, type Values } from '../forms/form.js';
import { NewPasswordField } from '../forms/new-password-field.js';
import { Page } from '../ui/page.js';

const USERNAME_HINT = '3 to 32 letters, digits, dots, underscores and hyphens.';
const EMAIL_HINT = 'Invitations find you there, and it lets you reset a forgotten password.';

export function RegisterPage() {
  const { client, paths } = useApp();
  const register = async ({ username = '', password = '', email, displayName }: Values) => {
    const input = { username, password, ...(email && { email }), ...(displayName && { displayName }) };
    await sendOperation(client.endpoint, RegisterDocument, { variables: { input } });
    await client.session.logIn({ username, password });
  };
  return (
    <Page title="Create an account" narrow>
      <Form onSubmit={register} button="Create account">
        <Field label="Username" name="username" hint={USERNAME_HINT} autocomplete="username" required />
        <NewPasswordField label="Password" name="password" />
        <Field label="Email (optional)" name="email" hint={EMAIL_HINT} type="email" autocomplete="email" />
        <Field label="Name to show (optional)" name="displayName" autocomplete="name" />
      </Form>
      <ul class="links">
        <li>
          <a href={paths.root}>I have an account</a>
        </li>
      </ul>
    </Page>
  );
}
