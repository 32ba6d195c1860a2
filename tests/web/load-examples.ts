import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const MODULE = fileURLToPath(new URL('../../src/web/graphiql/example-operations.ts', import.meta.url));

export interface Example {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface ExampleModule {
  readonly WELCOME: Example;
  readonly EXAMPLE_GROUPS: readonly { readonly operations: readonly Example[] }[];
}

/** Returns the example of the first tab, then those of the menu in its order. */
export async function loadExamples(): Promise<readonly Example[]> {
  const { WELCOME, EXAMPLE_GROUPS } = await loadModule();
  return [WELCOME, ...EXAMPLE_GROUPS.flatMap(({ operations }) => operations)];
}

/** The name of the operation of an example. */
export function nameOf({ query }: Example): string {
  return /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? '';
}

/** Bundles the module, since only the bundler turns an imported GraphQL document into its text. */
async function loadModule(): Promise<ExampleModule> {
  const { outputFiles } = buildSync({
    entryPoints: [MODULE],
    bundle: true,
    format: 'esm',
    loader: { '.graphql': 'text' },
    write: false,
  });
  return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`)) as ExampleModule;
}
