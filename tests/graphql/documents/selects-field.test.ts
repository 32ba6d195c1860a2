import { describe, expect, it } from '@jest/globals';
import { Kind, parse, type FragmentDefinitionNode } from 'graphql';
import { selectsEntries, selectsField } from '../../../src/graphql/documents/selects-field.js';

/** Passes the selection of the document's operation, with its fragments. */
function inSelection<T>(
  text: string,
  find: (...args: [Parameters<typeof selectsField>[0], Parameters<typeof selectsField>[1]]) => T,
): T {
  const { definitions } = parse(text);
  const [operation] = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter(
    (each): each is FragmentDefinitionNode => each.kind === Kind.FRAGMENT_DEFINITION,
  );
  return find([operation?.selectionSet], (name) => fragments.find((fragment) => fragment.name.value === name));
}

describe('selectsField', () => {
  it.each([
    ['{ score }', true],
    ['{ another: score }', true],
    ['{ score: name }', false],
    ['{ ... on Group { score } }', true],
    ['{ ...A } fragment A on Group { ...B } fragment B on Group { score }', true],
    ['{ ...A } fragment A on Group { ...A name }', false],
    ['{ group { score } }', false],
  ])('finds the field score in %s: %p', (text, expected) => {
    expect(inSelection(text, (sets, find) => selectsField(sets, find, (name) => name === 'score'))).toBe(expected);
  });
});

describe('selectsEntries', () => {
  it.each([
    ['{ totalCount __typename }', false],
    ['{ totalCount nodes { id } }', true],
    ['{ totalCount pageInfo { endCursor } }', true],
  ])('returns whether %s needs rows: %p', (text, expected) => {
    expect(inSelection(text, selectsEntries)).toBe(expected);
  });
});
