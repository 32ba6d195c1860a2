import type { CanaryFixture } from './canary-fixture.js';
import type { CanaryActors } from './happy-paths.js';
import { NAME, SECRET, SHAPES, type Shape } from './marks.js';
import { runConcurrently } from './run-concurrently.js';

const LOGIN = '{ issueToken(input: {username: "a", password: "b"}) { expiresIn } }';

/** Documents that cannot be executed, each with a value somewhere. */
function badDocuments(text: string): string[] {
  const value = JSON.stringify(text);
  return [
    `{ me { id ${value}`,
    `{ me(secret: ${value}) { id } }`,
    `{ user(id: {a: ${value}}) { id } }`,
    `{ user(id: [${value}]) { id } }`,
    `mutation { issueToken(input: {username: ${value}, password: ${value}`,
    `mutation { issueToken(input: {username: ${value}, other: ${value}}) { expiresIn } }`,
    `mutation { issueToken(input: ${value}) { expiresIn } }`,
    `mutation { issueToken(input: {password: "b"}, other: ${value}) { expiresIn } }`,
    `query ($id: UUID! = ${value}) { user(id: $id) { id } }`,
    `query ($id: Nothing = ${value}) { user(id: $id) { id } }`,
    `{ me @include(if: ${value}) { id } }`,
    `{ me @nothing(a: ${value}) { id } }`,
    `{ me { id } } # ${text}`,
    `# ${text}\n{ me {`,
    `{ user(id: """${text.replaceAll('"', '')}""") { id } }`,
    `{ user(id: "${text.replaceAll('"', '')}`,
    text,
    `${value} ${LOGIN}`,
  ];
}

/** Documents that invent names, which an error may repeat to their sender. */
const MADE_UP = [
  `{ ${NAME}: me { id } }`,
  `{ ${NAME} { id } }`,
  `query ${NAME} { me { id } }`,
  `query ${NAME} { me { ${NAME} } }`,
  `{ ...${NAME} }`,
  `fragment ${NAME} on User { id } { me { id } }`,
  `query ($${NAME}: ${NAME}) { me { id } }`,
  `{ me { ${NAME}: id(${NAME}: 1) } }`,
  `{ me @${NAME} { id } }`,
  `{ user(id: ${NAME}) { id } }`,
  `mutation ${NAME} { ${NAME}: issueToken(input: {${NAME}: 1}) { expiresIn } }`,
  `mutation ${NAME} { ${NAME}: issueToken(input: {username: "a", password: "b"}) { expiresIn } }`,
  `mutation { ...${NAME} } fragment ${NAME} on Mutation ${LOGIN}`,
];

/** Requests to /graphql, hardly any of which can be executed. */
export async function sendBadDocuments(
  fixture: CanaryFixture,
  { admin }: CanaryActors,
  shapes: readonly Shape[],
): Promise<void> {
  const post =
    (json: unknown, headers = {}) =>
    () =>
      fixture.send(admin, { method: 'POST', path: '/graphql', json, headers });
  await runConcurrently(
    shapes.flatMap((shape) => {
      const text = SHAPES[shape](SECRET, fixture.number());
      const query = 'query ($id: UUID!) { user(id: $id) { id } }';
      return [
        ...badDocuments(text).map((document) => post({ query: document })),
        post({ query, variables: text }),
        post({ query, variables: { id: text } }),
        post({ query, variables: [text] }),
        post({ query, variables: { id: { [NAME]: text } } }),
        post({ query, operationName: text, variables: {} }),
        post({ query, operationName: { text } }),
        post({ query: { text } }),
        post({ query: '', unknown: text }),
        post({ query: '{ me { id } }', extensions: { persistedQuery: { version: 1, sha256Hash: text } } }),
        post([{ query: text }]),
        post(text),
        ...['GET', 'HEAD', 'PUT'].map((method) => () => {
          const variables = JSON.stringify({ id: text.slice(0, 1_000) });
          return fixture.send(admin, {
            method,
            path: `/graphql?${new URLSearchParams({ query, variables }).toString()}`,
          });
        }),
        ...['query', 'variables', 'operationName', 'unknown'].map(
          (name) => () =>
            fixture.send(admin, {
              method: 'GET',
              path: `/graphql?${new URLSearchParams({ [name]: text.slice(0, 1_000) }).toString()}`,
            }),
        ),
        ...[
          'application/json',
          'application/x-www-form-urlencoded',
          'text/plain',
          `application/json; charset=${SECRET}`,
          `${SECRET}/json`,
          `multipart/form-data; boundary=${SECRET}`,
        ].map(
          (type) => () =>
            fixture.send(admin, {
              method: 'POST',
              path: '/graphql',
              body: `query=${text}`,
              headers: { 'content-type': type },
            }),
        ),
      ];
    }),
  );
  await runConcurrently(MADE_UP.flatMap((query) => [post({ query, operationName: NAME }), post({ query })]));
}
