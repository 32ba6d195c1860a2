import { registerEnumType } from 'type-graphql';

/**
 * Makes a GraphQL enum of a list of words that are their own values.
 *
 * @param descriptions one for each word, which the compiler checks
 * @returns what type-graphql's decorators name the enum by
 */
export function graphqlEnum<const Word extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Word, string>>,
): Record<Word, Word> {
  const words = Object.keys(descriptions).filter((word): word is Word => word in descriptions);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- each word is given itself as its value
  const values = Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
  const valuesConfig: Partial<Record<Word, { description: string }>> = {};
  for (const word of words) valuesConfig[word] = { description: descriptions[word] };
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}
