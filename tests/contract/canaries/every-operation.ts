import { OperationTypeNode } from 'graphql';
import type { TestClient } from '../../support/http/test-client.js';
import { OPERATIONS, type OperationFixture, type OperationName } from '../operations.js';
import type { CanaryFixture } from './canary-fixture.js';
import { markedHeaders } from './canary-users.js';
import {
  documentWithLiterals,
  documentWithVariables,
  positionsOf,
  rootFields,
  withValue,
  type Path,
  type RootField,
  type Values,
} from './documents.js';
import type { CanaryActors } from './happy-paths.js';
import { inHeader, SECRET, SHAPES, TEXT, type Mark, type Shape } from './marks.js';
import { runConcurrently } from './run-concurrently.js';

/** Input that is stored, by the last step of its path. Any other input must not appear anywhere. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  register: ['username', 'displayName', 'email'],
  updateProfile: ['displayName', 'email'],
  requestPasswordReset: ['email'],
  createGroup: ['name', 'description'],
  updateGroup: ['name', 'description'],
  inviteToGroup: ['email'],
  recordCompatibilityScore: ['source'],
  createApiKey: ['name'],
};

/**
 * Sends a canary in each position of the arguments of every operation, as a variable and as a literal.
 *
 * @returns the number of requests
 */
export async function fuzzEveryPosition(
  fixture: CanaryFixture,
  actors: CanaryActors,
  shapes: readonly Shape[],
): Promise<number> {
  const requests = rootFields().flatMap((root) =>
    positionsOf(root).flatMap((path) => requestsAt(fixture, actors, { root, path, shapes })),
  );
  await runConcurrently(requests);
  return requests.length;
}

interface Place {
  readonly root: RootField;
  readonly path: Path;
  readonly shapes: readonly Shape[];
}

/** Sends every shape as an administrator, and as each other caller one that also tries to forge a log line. */
function requestsAt(
  fixture: CanaryFixture,
  actors: CanaryActors,
  { root, path, shapes }: Place,
): (() => Promise<unknown>)[] {
  const mark: Mark = STORED[root.field.name]?.includes(String(path.at(-1))) === true ? TEXT : SECRET;
  const send =
    (client: TestClient, value: unknown, write = documentWithVariables) =>
    () =>
      ask(fixture, client, root, withValue(valuesOf(fixture, actors, root), path, value), write);
  const ways = [documentWithVariables, documentWithLiterals];
  return [
    ...shapes.map((shape, index) =>
      send(actors.admin, SHAPES[shape](mark, fixture.number()), ways[(index + path.length) % 2]),
    ),
    ...ways.map((write) => send(actors.admin, SHAPES.hostile(mark, fixture.number()), write)),
    ...[{ a: SHAPES.password(SECRET, 1) }, [SHAPES.hostile(SECRET, 2)]].map((value) => send(actors.admin, value)),
    ...[fixture.anonymous, actors.member, actors.owner, actors.apiClient].map((client) =>
      send(client, SHAPES.hostile(mark, fixture.number())),
    ),
  ];
}

/** Sends canaries in the headers and beside the variables of every operation, as every caller. */
export async function fuzzRequestMetadata(
  fixture: CanaryFixture,
  actors: CanaryActors,
  shapes: readonly Shape[],
): Promise<void> {
  await runConcurrently(
    rootFields().flatMap((root) =>
      shapes.map((shape, index) => () => {
        const value = SHAPES[shape](SECRET, fixture.number());
        const client =
          [actors.member, actors.owner, actors.apiClient, fixture.anonymous][index % 4] ?? fixture.anonymous;
        const headers = {
          ...markedHeaders(fixture),
          authorization: `${index % 2 === 0 ? 'Bearer' : 'Basic'} ${inHeader(value)}`,
          accept: acceptOf(root),
        };
        const values = {
          ...valuesOf(fixture, actors, root),
          unknown: value,
          ...(root.field.args.some(({ name }) => name === 'input') ? { input: { unknown: value } } : {}),
        };
        const json = {
          query: documentWithVariables(root, values, selectionOf(root)),
          variables: values,
          operationName: value,
          extensions: { a: value },
        };
        return fixture.send(client, {
          method: 'POST',
          path: '/graphql',
          json: index % 3 === 0 ? json : { ...json, operationName: null },
          headers,
        });
      }),
    ),
  );
}

/** Sends real secrets in the wrong fields. */
export async function sendSecretsInWrongFields(
  fixture: CanaryFixture,
  actors: CanaryActors,
  secrets: readonly string[],
): Promise<void> {
  const places = rootFields().flatMap((root) => positionsOf(root).map((path) => ({ root, path })));
  const isLoggingOut = ({ root, path }: (typeof places)[number]): boolean =>
    path.at(-1) === 'refreshToken' || root.field.name === 'claimInvitation';
  await runConcurrently(
    places
      .filter((place) => !isLoggingOut(place) && STORED[place.root.field.name] === undefined)
      .flatMap(({ root, path }) =>
        secrets.map(
          (secret) => () =>
            ask(
              fixture,
              actors.admin,
              root,
              withValue(valuesOf(fixture, actors, root), path, secret),
              documentWithVariables,
            ),
        ),
      ),
  );
}

function ask(
  fixture: CanaryFixture,
  client: TestClient,
  root: RootField,
  values: Values,
  write: typeof documentWithVariables,
): Promise<unknown> {
  const json = {
    query: write(root, values, selectionOf(root)),
    ...(write === documentWithVariables ? { variables: values } : {}),
  };
  return fixture.graphql(client, json, { accept: acceptOf(root), 'user-agent': `${TEXT} agent` });
}

/**
 * Operations that end by themselves are requested as JSON. A subscription is then rejected after its variables have
 * been validated.
 */
function acceptOf({ kind }: RootField): string {
  return kind === OperationTypeNode.SUBSCRIPTION ? 'application/json, text/event-stream;q=0.5' : 'application/json';
}

function selectionOf({ field: { name } }: RootField): string {
  return isOperation(name) ? OPERATIONS[name].selection : '{ revision }';
}

function valuesOf(fixture: CanaryFixture, actors: CanaryActors, { field: { name } }: RootField): Values {
  return isOperation(name)
    ? OPERATIONS[name].variables(createOperationFixture(fixture, actors))
    : { groupId: actors.groupId };
}

function createOperationFixture(fixture: CanaryFixture, { groupId, owner, member }: CanaryActors): OperationFixture {
  const n = fixture.number();
  return {
    groupId,
    owner,
    member,
    stranger: member,
    freeName: `${TEXT}-new-${n}`,
    newAddress: `${TEXT}-${n}@mail.example.org`,
  };
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}
