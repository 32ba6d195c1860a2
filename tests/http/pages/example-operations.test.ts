import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { EXAMPLE_OPERATIONS } from '../../../src/http/pages/index.js';
import { verifyEmailPage } from '../../../src/http/pages/verify-email-page.js';

const schema = buildSchema(readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'));
const problemsOf = (document: string) => validate(schema, parse(document)).map(({ message }) => message);

describe('the operations that pages bring along', () => {
  it.each(EXAMPLE_OPERATIONS.map(({ query }) => [/(?:query|mutation|subscription) (\w+)/.exec(query)?.[1], query]))('fit the schema: %s', (_name, query) => {
    expect(problemsOf(query ?? '')).toEqual([]);
  });

  it('fit the schema: the mutation of the page that verifies an address', () => {
    const mutation = /data-mutation="([^"]*)"/.exec(verifyEmailPage('/graphql').html)?.[1];
    expect(problemsOf(mutation ?? '')).toEqual([]);
  });

  it('show no variables in the first tab, since GraphiQL would not', () => {
    expect(EXAMPLE_OPERATIONS[0]?.variables).toBeUndefined();
  });
});
