import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  Kind,
  NoUnusedFragmentsRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLObjectType,
} from 'graphql';
import { loadExamples, nameOf, type Example } from './load-examples.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WEB = `${ROOT}src/web/`;
const EXAMPLES = 'graphiql/examples/';
const schema = buildSchema(readFileSync(`${ROOT}schema/schema.graphql`, 'utf8'));
const documents = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.graphql'));

/** Each root field that an operation selects, such as `Query.me`. */
function rootFieldsOf({ query }: Example): string[] {
  return parse(query).definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const { name } = schema.getRootType(definition.operation) ?? { name: '' };
    return definition.selectionSet.selections.flatMap((field) =>
      field.kind === Kind.FIELD && !field.name.value.startsWith('__') ? [`${name}.${field.name.value}`] : [],
    );
  });
}

function rootFieldsOfSchema(): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const present = roots.filter((type): type is GraphQLObjectType => type != null);
  return present.flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
}

/** Fragments that only operations of other files use are no problem. */
const RULES = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);

/** The document, with the fragments of all other files: the bundler puts those that it uses into its text. */
function withFragments(file: string): DocumentNode {
  const others = documents.filter((other) => other !== file).flatMap((other) => parseFile(other).definitions);
  const fragments = others.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { kind: Kind.DOCUMENT, definitions: [...parseFile(file).definitions, ...fragments] };
}

function parseFile(file: string): DocumentNode {
  return parse(readFileSync(WEB + file, 'utf8'));
}

describe('GraphQL documents of src/web', () => {
  it.each(documents)('%s fits the schema', (file) => {
    const problems = validate(schema, withFragments(file), RULES);
    expect(problems.map(({ message }) => message)).toEqual([]);
  });
});

describe('example operations', () => {
  it('contain every document of the folder once', async () => {
    const texts = documents.filter((file) => file.startsWith(EXAMPLES)).map((file) => readFileSync(WEB + file, 'utf8'));
    expect((await loadExamples()).map(({ query }) => query).sort()).toEqual(texts.sort());
  });

  it('select every field of Query, Mutation and Subscription', async () => {
    const selected = new Set((await loadExamples()).flatMap(rootFieldsOf));
    expect([...selected].sort()).toEqual(rootFieldsOfSchema().sort());
  });

  it('have names of their own', async () => {
    const names = (await loadExamples()).map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it('begin with a comment, in lines that the editor does not wrap', async () => {
    const comments = (await loadExamples()).map(({ query }) =>
      query.split('\n').filter((line) => line.startsWith('#')),
    );
    expect(comments.filter((lines) => lines.length === 0)).toEqual([]);
    expect(comments.flat().filter((line) => line.length > 48)).toEqual([]);
  });

  it('have no variables in the first tab, where GraphiQL does not show them', async () => {
    expect((await loadExamples())[0]?.variables).toBeUndefined();
  });
});
