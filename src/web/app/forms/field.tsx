import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { FieldProblems } from './field-problems.js';

interface OwnProps {
  readonly label: string;
  /** As the API names it in its input. */
  readonly name: string;
  /** Says what is allowed, before it fails. */
  readonly hint?: string;
  /** Shown beside the input. */
  readonly children?: ComponentChildren;
}

export type FieldProps = OwnProps & InputHTMLAttributes;

/** Names are neither capitalised nor corrected. */
const LITERAL = { autocapitalize: 'none', spellcheck: false } as const;

/**
 * A labelled input with its hint and its problem.
 *
 * Without `maxlength`, because a browser would truncate a longer password silently.
 */
export function Field({ label, name, hint, children, ...input }: FieldProps) {
  const id = useId();
  const problem = useContext(FieldProblems)[name];
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      <div class="control">
        <input
          id={id}
          name={name}
          aria-describedby={describedBy || undefined}
          aria-invalid={problem !== undefined}
          {...input}
          {...(input.autocomplete === 'username' && LITERAL)}
        />
        {children}
      </div>
      {problem && (
        <p id={`${id}-problem`} class="problem">
          {problem}
        </p>
      )}
    </div>
  );
}
