import { ValidationError } from '@mikro-orm/core';
import { isError, withSourcePositions } from '../../errors/index.js';
import { isLoggableSqlState, sqlStateOf } from './database-errors.js';

const MAX_LENGTH = 500;
/** Characters of a message that are read, because some of the patterns below take quadratic time. */
const MAX_INPUT_LENGTH = 2_000;

/** Values that messages of mail servers, drivers and JavaScript quote, and their replacements. */
const REDACTIONS: readonly (readonly [RegExp, string])[] = [
  [/"[^]*" is not valid JSON/, '… is not valid JSON'],
  [/\b(cannot represent [^:]*:|(?:but )?received:?|not a valid [^:]*:) [^]*/i, '$1 …'],
  [/\/\/[^\s/@]*@/g, '//'],
  [/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…@…'],
  // Also at the end of a longer name (`client_secret`, `newPassword`), and quoted as in JSON.
  [/(secret|token|password)(["']?[=:] *)\S+/gi, '$1$2…'],
  // A scheme and its credentials, which may be shorter than a token.
  [/(authorization)(["']?[=:] *)[^\r\n]+/gi, '$1$2…'],
  // A token, a hash or a key, which is longer than an id.
  [/[A-Za-z0-9_-]{40,}={0,2}/g, '…'],
];

/**
 * Returns the message of an error to store, show and log: on one line, at most 500 characters, without mail addresses,
 * credentials and text that looks like a token.
 *
 * Messages of the database about a statement, and of MikroORM about an entity, are replaced, because they repeat
 * values, which may be personal data.
 */
export function redactErrorMessage(error: unknown): string {
  const redacted = REDACTIONS.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    truncate(messageOf(error)),
  );
  const oneLine = redacted.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return [...oneLine].slice(0, MAX_LENGTH).join('') || 'The error has no message.';
}

/** Also removes the word at the cut, because the patterns do not match a part of an address or token. */
function truncate(text: string): string {
  if (text.length <= MAX_INPUT_LENGTH) return text;
  const words = text.slice(0, MAX_INPUT_LENGTH).split(/(?=\s)/);
  return `${words.slice(0, -1).join('')} …`;
}

/** Returns the lines of the stack without the message, with positions in the sources. */
export function stackFrames({ message, stack = '' }: Error): string[] {
  const afterMessage = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  return withSourcePositions(afterMessage)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}

function messageOf(error: unknown): string {
  if (!isError(error)) return String(error);
  if (error instanceof ValidationError) return `MikroORM rejected an entity (${error.name}).`;
  const sqlstate = sqlStateOf(error);
  return sqlstate === null || isLoggableSqlState(sqlstate)
    ? error.message
    : `A statement failed (SQLSTATE ${sqlstate}).`;
}
