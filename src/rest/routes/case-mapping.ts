import { InvalidInputError, type FieldError } from '../../errors/index.js';

/** Converts `displayName` to `display_name`, also inside dotted paths. The name of a header is unchanged. */
function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Converts the field names of GraphQL errors to REST.
 *
 * @param names REST name by GraphQL name, for the fields whose REST name is not their GraphQL name in snake case
 */
export function toRestFieldErrors(
  fields: readonly FieldError[],
  names: Readonly<Record<string, string>>,
): FieldError[] {
  return fields.map(({ field, message }) => ({ field: names[field] ?? toSnakeCase(field), message }));
}

/**
 * Converts the member names of a body to GraphQL.
 *
 * @param known GraphQL name by REST name
 * @throws InvalidInputError naming every unknown member, so that a misspelt member is never ignored
 */
export function toGraphqlNames(
  body: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0)
    throw new InvalidInputError(unknown.map((field) => ({ field, message: 'is not a field of this request' })));
  return Object.fromEntries(
    Object.entries(known).flatMap(([rest, graphql]) => (Object.hasOwn(body, rest) ? [[graphql, body[rest]]] : [])),
  );
}

/**
 * Converts an enum value, lower case in REST, to GraphQL.
 *
 * @param value of any type
 * @throws InvalidInputError when the value is not one of the words
 */
export function parseEnumValue<Word extends string>(field: string, value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => toRestEnumValue(word) === value);
  if (found === undefined) {
    throw new InvalidInputError([{ field, message: `must be one of ${words.map(toRestEnumValue).join(', ')}` }]);
  }
  return found;
}

/** Converts an enum value of GraphQL to REST. */
export function toRestEnumValue<Word extends string>(word: Word): Lowercase<Word> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- TypeScript types the method as string
  return word.toLowerCase() as Lowercase<Word>;
}

/** Passes the client's input to an operation unchecked, because GraphQL validates variables. */
export function asOperationInput(sent: Readonly<Record<string, unknown>>): never {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- GraphQL rejects input of a wrong type
  return sent as never;
}
