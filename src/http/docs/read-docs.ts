import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** Output of scripts/set-up/docs-pages.mjs. Compiled and plain sources find the same folder. */
const DOCS_FOLDER = join(dirname(findPackageJSON(import.meta.url) ?? ''), 'dist', 'docs');

const DOC = z.object({
  path: z.string(),
  /** The file with the part below the title, as HTML. */
  file: z.string(),
  title: z.string(),
  /** The first sentence, which begins with the audience. */
  summary: z.string(),
  headings: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** A page of docs/. */
export type Doc = z.infer<typeof DOC>;

/**
 * Returns the pages of docs/ by their path on the server.
 *
 * @throws Error when they are missing: the project has not been built
 */
export function readDocs(): ReadonlyMap<string, Doc> {
  const docs = z.array(DOC).parse(JSON.parse(readDocsFile('index.json')));
  return new Map(docs.map((doc) => [doc.path, doc]));
}

/** Returns the HTML of a page, with each link below the base path. */
export function readDocHtml({ file }: Doc, basePath: string): string {
  return readDocsFile(file).replaceAll('%BASE_PATH%', basePath);
}

function readDocsFile(file: string): string {
  const path = join(DOCS_FOLDER, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${path} is missing; "npm run build" creates it`, { cause });
  }
}
