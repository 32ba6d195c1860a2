import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { buildSchema, concatAST, parse, validate, type DocumentNode } from 'graphql';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WEB = `${ROOT}src/web/`;
const EXAMPLES = 'graphiql/examples/';
const schema = buildSchema(readFileSync(`${ROOT}schema/schema.graphql`, 'utf8'));
const documents = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.graphql'));

const examples = documents.filter((file) => file.startsWith(EXAMPLES));

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

function read(file: string): DocumentNode {
  return parse(readFileSync(WEB + file, 'utf8'));
}

function problemsOf(document: DocumentNode): string[] {
  return validate(schema, document).map(({ message }) => message);
}

describe('GraphQL documents of src/web', () => {
  it.each(examples)('%s fits the schema', (file) => {
    expect(problemsOf(read(file))).toEqual([]);
  });

  it('of the pages and the web client fit the schema together, since they share fragments', () => {
    const shared = documents.filter((file) => !examples.includes(file));
    expect(shared).toContain('app/group/group.graphql');
    expect(problemsOf(concatAST(shared.map(read)))).toEqual([]);
  });
});

describe('example operations', () => {
  it('contain every document of the folder once', async () => {
    const texts = examples.map((file) => readFileSync(WEB + file, 'utf8'));
    expect((await loadExamples()).map(({ query }) => query).sort()).toEqual(texts.sort());
  });

  it('have no variables in the first tab, where GraphiQL does not show them', async () => {
    expect((await loadExamples())[0]?.variables).toBeUndefined();
  });
});
