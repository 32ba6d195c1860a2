import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { buildSchema, parse, validate } from 'graphql';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WEB = `${ROOT}src/web/`;
const EXAMPLES = 'graphiql/examples/';
const schema = buildSchema(readFileSync(`${ROOT}schema/schema.graphql`, 'utf8'));
const documents = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.graphql'));

interface Example {
  readonly query: string;
  readonly variables?: object;
}

/** Bundles the module, since only the bundler turns an imported GraphQL document into its text. */
async function loadExamples(): Promise<readonly Example[]> {
  const { outputFiles } = buildSync({
    entryPoints: [`${WEB}graphiql/example-operations.ts`],
    bundle: true,
    format: 'esm',
    loader: { '.graphql': 'text' },
    write: false,
  });
  const source = encodeURIComponent(outputFiles[0]?.text ?? '');
  const { EXAMPLE_OPERATIONS } = (await import(`data:text/javascript,${source}`)) as {
    EXAMPLE_OPERATIONS: readonly Example[];
  };
  return EXAMPLE_OPERATIONS;
}

describe('GraphQL documents of src/web', () => {
  it.each(documents)('%s fits the schema', (file) => {
    const problems = validate(schema, parse(readFileSync(WEB + file, 'utf8')));
    expect(problems.map(({ message }) => message)).toEqual([]);
  });
});

describe('example operations', () => {
  it('contain every document of the folder once', async () => {
    const texts = documents.filter((file) => file.startsWith(EXAMPLES)).map((file) => readFileSync(WEB + file, 'utf8'));
    expect((await loadExamples()).map(({ query }) => query).sort()).toEqual(texts.sort());
  });

  it('have no variables in the first tab, where GraphiQL does not show them', async () => {
    expect((await loadExamples())[0]?.variables).toBeUndefined();
  });
});
