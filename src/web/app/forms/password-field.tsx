import { useState } from 'preact/hooks';
import { Field } from './field.js';

export interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly autocomplete: 'current-password' | 'new-password';
}

const SHOWN = { type: 'text' } as const;
const HIDDEN = { type: 'password' } as const;

/** A password, which the visitor can show. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...props} {...(isShown ? SHOWN : HIDDEN)} required>
      <button
        type="button"
        class="plain"
        aria-pressed={isShown}
        onClick={() => {
          setShown(!isShown);
        }}
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </Field>
  );
}
