import { ValidationError } from '@mikro-orm/core';
import { isError } from '../../errors/index.js';
import { isLoggableSqlState, sqlStateOf } from './database-errors.js';

const LONGEST_TEXT = 500;
/** Of a message no more is looked at: some of the patterns below take the square of its length. */
const MOST_READ = 2_000;

/** What errors of mail servers, drivers and the language are known to quote. */
const PRIVATE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/"[^]*" is not valid JSON/, '… is not valid JSON'],
  [/\b(cannot represent [^:]*:|(?:but )?received:?|not a valid [^:]*:) [^]*/i, '$1 …'],
  [/\/\/[^\s/@]*@/g, '//'],
  [/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…@…'],
  // Also as the end of a longer name (`client_secret`, `newPassword`), and as JSON has it.
  [/(secret|token|password)(["']?[=:] *)\S+/gi, '$1$2…'],
  // A scheme and what follows it, which may be shorter than a token.
  [/(authorization)(["']?[=:] *)[^\r\n]+/gi, '$1$2…'],
  // A token, a hash or a key: longer than an id.
  [/[A-Za-z0-9_-]{40,}={0,2}/g, '…'],
];

/**
 * What may be kept, shown and logged of an error: its message on one line, at most 500 characters, without mail
 * addresses, credentials and anything that looks like a token.
 *
 * What the database or MikroORM says of a statement or an entity is left out altogether: it repeats their values, which
 * may be people's.
 */
export function redactErrorMessage(error: unknown): string {
  const redacted = PRIVATE_PARTS.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    beginningOf(messageOf(error)),
  );
  const oneLine = redacted.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return [...oneLine].slice(0, LONGEST_TEXT).join('') || 'It failed without a word.';
}

/** Without the word at the cut: half an address or token would not be known as one. */
function beginningOf(text: string): string {
  if (text.length <= MOST_READ) return text;
  const words = text.slice(0, MOST_READ).split(/(?=\s)/);
  return `${words.slice(0, -1).join('')} …`;
}

/** Where an error came from, line by line, without its message. */
export function stackFrames({ message, stack = '' }: Error): string[] {
  const afterMessage = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  return afterMessage
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}

function messageOf(error: unknown): string {
  if (!isError(error)) return String(error);
  if (error instanceof ValidationError) return `MikroORM refused what it was given (${error.name}).`;
  const sqlstate = sqlStateOf(error);
  return sqlstate === null || isLoggableSqlState(sqlstate)
    ? error.message
    : `A statement failed (SQLSTATE ${sqlstate}).`;
}
