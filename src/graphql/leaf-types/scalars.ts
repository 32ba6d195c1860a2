import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSON, GraphQLUUID } from 'graphql-scalars';
import { isEmailAddress } from '../../accounts/index.js';
import { isStoredTime, toIsoText } from '../../time/stored-time.js';

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Accepts any case, and returns lower case, so that ids can be compared as text. Rejects braces and `urn:`. */
export const UUID = new GraphQLScalarType<string, string>({
  name: GraphQLUUID.name,
  description: 'A UUID (RFC 9562) of the form 8-4-4-4-12, in any case; answered in lower case.',
  serialize: (value) => canonical(value),
  parseValue: (value) => canonical(value),
  parseLiteral: (node) => canonical(textOf(node)),
});

function canonical(value: unknown): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!CANONICAL_UUID.test(text)) throw new TypeError('Value is not a UUID');
  return text;
}

function textOf(node: ValueNode): string | null {
  return node.kind === Kind.STRING ? node.value : null;
}

/** Serializes to UTC with milliseconds. The text of a time that was not parsed is rewritten. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'A time in RFC 3339, as in 2030-01-31T18:00:00.000Z; answered in UTC with milliseconds.',
  serialize: (value) => {
    if (!isStoredTime(value)) throw new TypeError('Value is not a time');
    return toIsoText(value);
  },
});

/** Reason: `GraphQLEmailAddress` of graphql-scalars rejects Unicode domains and accepts consecutive dots. */
export const EmailAddress = new GraphQLScalarType<string, string>({
  name: 'EmailAddress',
  description:
    'An email address: a dot-atom in ASCII (RFC 5322, section 3.2.3), "@", and a domain, which may be Unicode (UTS ' +
    '46); answered as it was typed.',
  serialize: (value) => String(value),
  parseValue: (value) => emailAddress(value),
  parseLiteral: (node) => emailAddress(textOf(node)),
});

function emailAddress(value: unknown): string {
  if (typeof value !== 'string' || !isEmailAddress(value)) throw new TypeError('Value is not an email address');
  return value;
}

/** For whole documents, of which clients select no parts. */
export const JSONValue = new GraphQLScalarType<unknown, unknown>({
  ...GraphQLJSON.toConfig(),
  description: 'Any JSON value (RFC 8259).',
});
