// Writes the generated files: the SDL, the OpenAPI document, the operations of REST and src/web with their types and
// ids, and the pages of settings and errors.
// With --check it changes no file and fails when a committed file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stringify } from 'yaml';
import { run } from './set-up/steps.mjs';

const check = process.argv.includes('--check');
const require = createRequire(import.meta.url);
const SCHEMA = 'schema/schema.graphql';
const OPENAPI = 'schema/openapi.yaml';
const OPERATIONS = [
  'src/rest/generated/operations.ts',
  'src/web/generated/operations.ts',
  'src/web/generated/example-operations.ts',
  'src/graphql/trusted-documents/generated/rest-documents.ts',
  'src/graphql/trusted-documents/generated/web-documents.ts',
];
const CONFIGURATION = 'docs/configuration.md';
const ERRORS = 'docs/errors.md';

const { buildGraphqlSchema, printedSchema } = await import('../dist/compiled/src/graphql/schema.js');
const { PublicUrl } = await import('../dist/compiled/src/http-core/index.js');
const { openApiDocument } = await import('../dist/compiled/src/rest/openapi/openapi-document.js');
const { errorsPage } = await import('../dist/compiled/src/http-core/errors-page.js');
const { configurationPage } = await import('../dist/compiled/src/config/configuration-page.js');

const before = new Map([SCHEMA, OPENAPI, ...OPERATIONS, CONFIGURATION, ERRORS].map((file) => [file, contentOf(file)]));
writeFileSync(SCHEMA, printedSchema(buildGraphqlSchema()));
writeFileSync(OPENAPI, openApiYaml());
writeFileSync(CONFIGURATION, configurationPage());
writeFileSync(ERRORS, errorsPage());
generateOperations();
const changed = [...before].filter(([file, content]) => contentOf(file) !== content).map(([file]) => file);
if (check) {
  for (const [file, content] of before) if (content !== null) writeFileSync(file, content);
  if (changed.length > 0) {
    console.error(`Not up to date: ${changed.join(', ')}. Run: npm run generate`);
    process.exitCode = 1;
  }
}
console.log(
  changed.length === 0
    ? 'Generated files are up to date.'
    : `${check ? 'Would change' : 'Changed'}: ${changed.join(', ')}`,
);

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** A service states its own public URL at `/openapi.json`. */
function openApiYaml() {
  const document = openApiDocument(new PublicUrl('https://convene.example.org'));
  return stringify(document, { lineWidth: 120, aliasDuplicateObjects: false });
}

/** Validates each document against the schema. Prints the output of the generator only on failure. */
function generateOperations() {
  const generator = require.resolve('@graphql-codegen/cli/package.json').replace('package.json', 'esm/bin.js');
  run(
    '.',
    process.execPath,
    [generator, '--config', 'codegen.yml'],
    'The operations do not fit the schema; see above.',
  );
}
