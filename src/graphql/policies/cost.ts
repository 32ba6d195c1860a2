import type { GraphQLField } from 'graphql';

/** What a field's author says of its cost, where the type of the field does not show it. */
export interface FieldCost {
  /** Of the field itself; 1 where nothing is said. */
  readonly own: number;
  /** How many entries a list without `first` has at most; null where nothing is said. */
  readonly maxEntries: number | null;
}

/** For `@Extensions`: a field that reads more than itself, such as a whole document. */
export function costs(own: number): { readonly cost: number } {
  return { cost: own };
}

/** For `@Extensions`: a list without `first`, which never holds more entries. */
export function atMost(maxEntries: number): { readonly maxEntries: number } {
  return { maxEntries };
}

export function fieldCost({ extensions: { cost, maxEntries } }: GraphQLField<unknown, unknown>): FieldCost {
  return { own: typeof cost === 'number' ? cost : 1, maxEntries: typeof maxEntries === 'number' ? maxEntries : null };
}
