import { useApp } from '../data/app-context.js';
import { PasswordField, type PasswordFieldProps } from './password-field.js';

/** A new password, with the rules for it. */
export function NewPasswordField(props: Pick<PasswordFieldProps, 'label' | 'name'>) {
  const { passwordMinLength } = useApp().configuration;
  const hint = `At least ${passwordMinLength} characters. Not a common password, nor your username or email.`;
  return <PasswordField {...props} hint={hint} autocomplete="new-password" />;
}
