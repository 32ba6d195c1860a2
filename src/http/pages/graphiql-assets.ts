import { createRequire } from 'node:module';
import type * as Bundle from '@graphql-yoga/render-graphiql/graphiql';
import { z } from 'zod';
import type { PageAsset } from '../assets/page-asset.js';

const requirePackage: (name: string) => unknown = createRequire(import.meta.url);
const bundle = z.object({ version: z.string() }).parse(requirePackage('@graphql-yoga/render-graphiql/package.json'));

/** The assets of the page, from the installed package: 9 MB, which gzip compresses to 2.4 MB. */
export const GRAPHIQL_ASSETS = {
  script: asset('graphiql.js', (parts) => parts.js),
  style: asset('graphiql.css', (parts) => parts.css),
  editorWorker: asset('editor-worker.js', (parts) => parts.editorWorkerService),
  graphqlWorker: asset('graphql-worker.js', (parts) => parts.graphqlWorker),
  jsonWorker: asset('json-worker.js', (parts) => parts.jsonWorker),
};

function asset(file: string, pick: (parts: typeof Bundle) => string): PageAsset {
  return {
    path: `/graphiql/${bundle.version}/${file}`,
    read: async () => pick(await import('@graphql-yoga/render-graphiql/graphiql')),
  };
}
