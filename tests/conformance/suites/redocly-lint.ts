import { runRedocly } from '../rest/redocly.js';
import type { Finding, Suite } from '../suite.js';

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** A test of the sources requires that the first equals `/openapi.json`, except for the server. */
const DOCUMENTS = ['schema/openapi.yaml', 'schema/workflows.arazzo.yaml'];
const CONFIG = 'tests/conformance/redocly.yaml';

/** Lints the OpenAPI document with its examples, and the workflow of `redocly-respect`. */
export const redoclyLint: Suite = {
  name: 'redocly-lint',
  packages: ['@redocly/cli'],
  async run() {
    const results = await Promise.all(DOCUMENTS.map(lint));
    const passed = results.filter(({ length }) => length === 0).length;
    return { passed, failed: results.flat(), expected: [], skipped: [] };
  },
};

async function lint(document: string): Promise<Finding[]> {
  const { code, output } = await runRedocly('lint', document, '--config', CONFIG, '--format', 'json');
  const report = /^\{[^]*^\}/m.exec(output)?.[0];
  if (report === undefined) return [{ title: document, reason: output }];
  const { problems } = JSON.parse(report) as { readonly problems: readonly Problem[] };
  if (code !== 0 && problems.length === 0) return [{ title: document, reason: output }];
  return problems.map(({ ruleId, message, location }) => ({
    title: `${document}: ${ruleId}`,
    reason: `${message} at ${location[0]?.pointer ?? 'the document'}`,
  }));
}
