import type { GraphqlCase, Parameters } from './case.js';

const TYPENAME = '{ __typename }';
const NEW = 'application/graphql-response+json';
const OLD = 'application/json';

const ACCEPTS = [
  '*/*',
  'application/*',
  '',
  OLD,
  NEW,
  `${OLD};q=0.5, ${NEW}`,
  `${NEW};q=0.5, ${OLD}`,
  `${NEW};q=0, ${OLD}`,
  `${OLD}; charset=utf-8`,
  `${NEW}; charset=utf-16`,
  'text/html, */*;q=0.1',
  'text/event-stream',
  `text/event-stream;q=0.5, ${OLD}`,
  'text/plain',
  'image/*',
  `${OLD};q=0`,
  'multipart/mixed',
  'nonsense',
];

const TOO_MUCH: Readonly<Record<string, string>> = {
  tokens: `{ ${'__typename '.repeat(1_100)}}`,
  depth: `{ group(id: "x") ${'{ members '.repeat(14)}{ id }${' }'.repeat(14)} }`,
  'nested introspection': `{ __schema { types ${'{ ofType '.repeat(14)}{ name }${' }'.repeat(14)} } }`,
  aliases: `{ ${Array.from({ length: 25 }, (_, index) => `a${String(index)}: __typename`).join(' ')} }`,
  directives: `{ __typename ${'@skip(if: false) '.repeat(60)} }`,
  'root fields': `{ ${Array.from({ length: 25 }, () => 'me { id }').join(' ')} }`,
  cost: '{ me { groups(first: 1000) { nodes { members(first: 1000) { nodes { status } } } } } }',
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  'a comment only': '# nothing',
  'an empty selection': '{ }',
  'a fragment only': 'fragment A on Query { __typename }',
  'a fragment that spreads itself': '{ ...A } fragment A on Query { ...A }',
  'a definition of a type': 'type Nonsense { a: Int }',
  'two anonymous operations': '{ __typename } { __typename }',
  'two operations and no name': 'query A { __typename } query B { __typename }',
  'an unknown field': '{ nonsense }',
  'a literal that does not fit': '{ group(id: "nonsense") { id } }',
  'an unused variable': 'query ($a: Int) { __typename }',
  'an undeclared variable': '{ group(id: $id) { id } }',
  'an unknown directive': '{ __typename @nonsense }',
  'a missing selection': '{ me }',
  'a subscription': 'subscription { groupChanged(groupId: "00000000-0000-7000-8000-000000000000") { revision } }',
  introspection: '{ __schema { queryType { name } mutationType { name } } }',
  'a type by its name': '{ __type(name: "Group") { name kind } }',
  'a conflict of aliases': '{ me { a: id a: username } }',
  'two root fields of which one fails': '{ me { id } group(id: "00000000-0000-7000-8000-000000000000") { id } }',
  unicode: '{ __typename } # \u{1f600} \u00e9',
};

const MALFORMED: readonly Parameters[] = [
  {},
  { query: null },
  { query: '' },
  { query: 1 },
  { query: [TYPENAME] },
  { query: { kind: 'Document' } },
  { query: TYPENAME, variables: [7] },
  { query: TYPENAME, variables: '{}' },
  { query: TYPENAME, variables: 5 },
  { query: TYPENAME, operationName: 5 },
  { query: TYPENAME, operationName: {} },
  { query: TYPENAME, extensions: [] },
  { query: TYPENAME, extensions: 'nonsense' },
  { query: TYPENAME, variables: null, operationName: null, extensions: null },
  { query: TYPENAME, variables: '', operationName: '', extensions: '' },
  { extensions: { persistedQuery: { version: 1, sha256Hash: 'nonsense' } } },
  { query: TYPENAME, extensions: { persistedQuery: { version: 9, sha256Hash: 'nonsense' } } },
];

const BODIES = [
  '',
  '{',
  'null',
  '[]',
  '1',
  '"text"',
  `[{"query": "${TYPENAME}"}]`,
  '{"query": "{ __typename }"',
  '\ufeff{}',
];
const CONTENT_TYPES = [
  OLD,
  `${OLD}; charset=utf-8`,
  `${OLD}; charset=utf-16`,
  'APPLICATION/JSON',
  NEW,
  'application/graphql',
  'application/jsonx',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
];

/** Requests whose form varies, and not their operation. */
export const REQUESTS: readonly GraphqlCase[] = [
  ...ACCEPTS.flatMap((accept) => [
    ofParameters(`Accept: ${accept}`, { query: TYPENAME }, { accept }),
    ofParameters(`an invalid document and Accept: ${accept}`, { query: '{ nonsense }' }, { accept }),
    ofParameters(
      `an error and Accept: ${accept}`,
      { query: '{ group(id: "00000000-0000-7000-8000-000000000000") { id } }' },
      { accept },
    ),
  ]),
  ...[OLD, NEW].flatMap((accept) => [
    ...Object.entries({ ...TOO_MUCH, ...DOCUMENTS }).map(([title, query]) =>
      ofParameters(`${title}, in ${accept}`, { query }, { accept }),
    ),
    ...MALFORMED.map((parameters) => ({
      ...ofParameters(`${JSON.stringify(parameters)}, in ${accept}`, parameters, { accept }),
      differsByGet: true,
    })),
    ...BODIES.map((body) => ofBody(`the body ${body}, in ${accept}`, body, { accept, 'content-type': OLD })),
    ...CONTENT_TYPES.map((type) =>
      ofBody(`the type ${type}, in ${accept}`, JSON.stringify({ query: TYPENAME }), { accept, 'content-type': type }),
    ),
  ]),
];

function ofParameters(title: string, parameters: Parameters, headers: Readonly<Record<string, string>>): GraphqlCase {
  return {
    title: `a request with ${title}`,
    caller: 'owner',
    parameters: () => parameters,
    headers,
    // By GET, a browser gets GraphiQL.
    differsByGet: headers.accept?.startsWith('text/html') ?? false,
  };
}

function ofBody(title: string, body: string, headers: Readonly<Record<string, string>>): GraphqlCase {
  return { ...ofParameters(title, {}, headers), body };
}
