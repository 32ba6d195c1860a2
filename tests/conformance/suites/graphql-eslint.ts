import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import plugin from '@graphql-eslint/eslint-plugin';
import { Linter, type ESLint } from 'eslint';
import { separateFailures, type ExpectedFailures } from '../expected-failures.js';
import type { Finding, Suite } from '../suite.js';

const SCHEMA = fileURLToPath(new URL('../../../schema/schema.graphql', import.meta.url));

/** Connections, their edges and the payloads of mutations are no objects that a client caches by id. */
const SUFFIXES_WITHOUT_ID = ['Connection', 'Edge', 'Payload'];

/** Places where the schema differs from the recommendation. */
const EXCEPTIONS: readonly ExpectedFailures[] = [
  {
    reason: 'Cursor Connections Specification, section 5.1: PageInfo has no id.',
    message: /must have exactly one non-nullable unique identifier/,
    titles: ['@graphql-eslint/strict-id-in-types "PageInfo"'],
  },
  {
    reason:
      'Global Object Identification Specification, section 2: only objects that can be read again have an id. ' +
      'Counts, previews and results are values of the object or the mutation that contains them.',
    message: /must have exactly one non-nullable unique identifier/,
    titles: ['DeletionPreview', 'GroupChangePreview', 'InvitationPreview', 'InviteResult', 'ResponseCounts'].map(
      (type) => `@graphql-eslint/strict-id-in-types "${type}"`,
    ),
  },
  {
    reason:
      'GraphQL specification, section 3.3.1: the root operation types are the entry of an operation. Each of their ' +
      'fields is described.',
    message: /^Description is required for type/,
    titles: ['Query', 'Mutation', 'Subscription'].map((type) => `@graphql-eslint/require-description "${type}"`),
  },
  {
    reason: 'RFC 6749, section 4.3.2: the name that a person logs in with is `username`, here as over REST.',
    message: /^Field "username" starts with the name of the parent type "User"$/,
    titles: ['@graphql-eslint/no-typename-prefix "username"'],
  },
];

/** Lints the schema with the rules that graphql-eslint recommends for schemas. */
export const graphqlEslint: Suite = {
  name: 'graphql-eslint',
  packages: ['@graphql-eslint/eslint-plugin'],
  run() {
    const rules: Linter.RulesRecord = {
      ...plugin.configs['flat/schema-recommended'].rules,
      '@graphql-eslint/strict-id-in-types': ['error', { exceptions: { suffixes: SUFFIXES_WITHOUT_ID } }],
    };
    const findings = lint(rules);
    const broken = new Set(findings.map(({ title }) => title.split(' ')[0]));
    const passed = Object.keys(rules).filter((rule) => !broken.has(rule)).length;
    return Promise.resolve({ passed, ...separateFailures(findings, EXCEPTIONS), skipped: [] });
  },
};

const RULES = plugin.rules as unknown as NonNullable<ESLint.Plugin['rules']>;

function lint(rules: Linter.RulesRecord): Finding[] {
  const config: Linter.Config = {
    files: ['**/*.graphql'],
    languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig: { schema: SCHEMA } } },
    plugins: { '@graphql-eslint': { rules: RULES } },
    rules,
  };
  return new Linter().verify(readFileSync(SCHEMA, 'utf8'), [config], { filename: SCHEMA }).map(toFinding);
}

/** The title names the rule and the first name that its message quotes. */
function toFinding({ ruleId, message }: Linter.LintMessage): Finding {
  const quoted = /"\w+"/.exec(message)?.[0] ?? '';
  return { title: `${ruleId ?? 'parser'} ${quoted}`.trim(), reason: message };
}
