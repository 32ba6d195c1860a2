import { useApp } from '../data/app-context.js';
import { Field } from '../forms/field.js';
import { Form, type Values } from '../forms/form.js';
import { PasswordField } from '../forms/password-field.js';
import { Page } from '../ui/page.js';

/** Shown at every path until the visitor logs in, who then sees the page of that path. */
export function LogInPage() {
  const { client, paths } = useApp();
  const logIn = ({ username = '', password = '' }: Values) => client.session.logIn({ username, password });
  return (
    <Page title="Log in" narrow>
      {client.session.isEndedByService && <p role="status">Your session has ended. Please log in again.</p>}
      <Form onSubmit={logIn} button="Log in">
        <Field label="Username or email" name="username" autocomplete="username" required />
        <PasswordField label="Password" name="password" autocomplete="current-password" />
      </Form>
      <ul class="links">
        <li>
          <a href={paths.register}>Create an account</a>
        </li>
        <li>
          <a href={paths.resetPassword}>I forgot my password</a>
        </li>
      </ul>
    </Page>
  );
}
