import { OperationError } from '../../api/operation-error.js';

export interface Problems {
  /** Sentences to be shown beside the fields, by their names. */
  readonly byField: Readonly<Record<string, string>>;
  /** The error, when it is not about fields of the form alone; null otherwise. */
  readonly rest: unknown;
}

/**
 * Divides the error of a form between its fields and the whole form.
 *
 * @param names names of the fields, which are those of the API's input
 */
export function findProblems(error: unknown, names: readonly string[]): Problems {
  if (!(error instanceof OperationError)) return { byField: {}, rest: error };
  const shown = error.fields.filter(({ field }) => names.includes(field));
  const byField = Object.fromEntries(shown.map(({ field, message }) => [field, sentenceOf(message)]));
  return { byField, rest: shown.length > 0 && shown.length === error.fields.length ? null : error };
}

function sentenceOf(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
