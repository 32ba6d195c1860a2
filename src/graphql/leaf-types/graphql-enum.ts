import { registerEnumType } from 'type-graphql';

/**
 * Registers a GraphQL enum whose names are also its values.
 *
 * @param descriptions the description of each value; the compiler checks that none is missing
 * @returns the enum object that type-graphql's decorators refer to
 */
export function graphqlEnum<const Word extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Word, string>>,
): Record<Word, Word> {
  const words = Object.keys(descriptions).filter((word): word is Word => word in descriptions);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- maps each word to itself
  const values = Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
  const valuesConfig: Partial<Record<Word, { description: string }>> = {};
  for (const word of words) valuesConfig[word] = { description: descriptions[word] };
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}
