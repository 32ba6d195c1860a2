import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';

/** The declared cost of a field, where the type of the field does not imply it. */
export interface FieldCost {
  /** Cost of the field itself; 1 by default. */
  readonly own: number;
  /** Maximum length of a list without `first`; null where none is declared. */
  readonly maxEntries: number | null;
  /** Name of the list argument with one value for each entry of the list; null where none is declared. */
  readonly entriesOf: string | null;
}

/** Declares the cost of a field that reads more than one value, such as a whole document. */
export function Cost(own: number): ReturnType<typeof Extensions> {
  return Extensions({ cost: own });
}

/** Declares the maximum length of a list without `first`. The resolver must not return more entries. */
export function MaxEntries(maxEntries: number): ReturnType<typeof Extensions> {
  return Extensions({ maxEntries });
}

/** Declares that a list has one entry for each value of a list argument, of which `@MaxEntries` bounds the number. */
export function EntriesOf(argument: string): ReturnType<typeof Extensions> {
  return Extensions({ entriesOf: argument });
}

export function fieldCost({ extensions }: GraphQLField<unknown, unknown>): FieldCost {
  const { cost, maxEntries, entriesOf } = extensions;
  return {
    own: typeof cost === 'number' ? cost : 1,
    maxEntries: typeof maxEntries === 'number' ? maxEntries : null,
    entriesOf: typeof entriesOf === 'string' ? entriesOf : null,
  };
}
