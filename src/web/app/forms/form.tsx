import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../data/use-action.js';
import { ErrorMessage } from '../ui/error-message.js';
import { FieldProblems } from './field-problems.js';
import { findProblems } from './find-problems.js';

export type Values = Readonly<Record<string, string>>;

export interface FormProps {
  /** Called with what was typed, by the names of the fields. Its error is shown, beside the fields that it names. */
  readonly onSubmit: (values: Values) => Promise<unknown>;
  readonly button: string;
  readonly children: ComponentChildren;
}

export function Form({ onSubmit, button, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { run, isRunning, error } = useAction(async () => {
    if (form.current !== null) await onSubmit(valuesOf(form.current));
  });
  const names = form.current === null ? [] : Object.keys(valuesOf(form.current));
  const problems = findProblems(error, names);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <FieldProblems.Provider value={problems.byField}>{children}</FieldProblems.Provider>
      <ErrorMessage error={problems.rest} />
      <button type="submit" disabled={isRunning}>
        {isRunning ? 'One moment…' : button}
      </button>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): Values {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}
