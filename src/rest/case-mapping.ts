import { InvalidInputError, type FieldError } from '../errors/index.js';

/** `displayName` to `display_name`, also inside paths; the name of a header stays as it is. */
export function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields that GraphQL refused, as REST spells them. */
export function toRestFieldErrors(
  fields: readonly FieldError[],
  names: Readonly<Record<string, string>>,
): FieldError[] {
  return fields.map(({ field, message }) => ({ field: names[field] ?? toSnakeCase(field), message }));
}

/**
 * The members of a body under their GraphQL names.
 *
 * @param known REST name to GraphQL name
 * @throws InvalidInputError naming every member that is not known, so that a typo never looks accepted
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
 * An enum's word, lower case in REST, as GraphQL has it.
 *
 * @throws InvalidInputError when the value is none of the words, whatever its type
 */
export function parseEnumValue<Word extends string>(field: string, value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word.toLowerCase() === value);
  if (found === undefined) {
    throw new InvalidInputError([
      { field, message: `must be one of ${words.map((word) => word.toLowerCase()).join(', ')}` },
    ]);
  }
  return found;
}

/** What a client sent, as an operation's input: whether it is one, the operation finds out. */
export function asOperationInput(sent: Readonly<Record<string, unknown>>): never {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- fits any input: GraphQL refuses what does not
  return sent as never;
}
