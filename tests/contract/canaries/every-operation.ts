import { OperationTypeNode } from 'graphql';
import type { TestClient } from '../../support/http/test-client.js';
import { OPERATIONS, type OperationFixture, type OperationName } from '../operations.js';
import type { CanaryWorld } from './canary-fixture.js';
import { talkative } from './canary-users.js';
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
import { atOnce } from './run-concurrently.js';

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
export async function fillEveryPosition(
  world: CanaryWorld,
  cast: CanaryActors,
  shapes: readonly Shape[],
): Promise<number> {
  const tries = rootFields().flatMap((root) =>
    positionsOf(root).flatMap((path) => triesAt(world, cast, { root, path, shapes })),
  );
  await atOnce(tries);
  return tries.length;
}

interface Place {
  readonly root: RootField;
  readonly path: Path;
  readonly shapes: readonly Shape[];
}

/** Sends every shape as an administrator, and as each other caller one that also tries to forge a log line. */
function triesAt(world: CanaryWorld, cast: CanaryActors, { root, path, shapes }: Place): (() => Promise<unknown>)[] {
  const mark: Mark = STORED[root.field.name]?.includes(String(path.at(-1))) === true ? TEXT : SECRET;
  const send =
    (by: TestClient, value: unknown, write = documentWithVariables) =>
    () =>
      ask(world, by, root, withValue(valuesOf(world, cast, root), path, value), write);
  const ways = [documentWithVariables, documentWithLiterals];
  return [
    ...shapes.map((shape, index) =>
      send(cast.admin, SHAPES[shape](mark, world.number()), ways[(index + path.length) % 2]),
    ),
    ...ways.map((write) => send(cast.admin, SHAPES.hostile(mark, world.number()), write)),
    ...[{ a: SHAPES.password(SECRET, 1) }, [SHAPES.hostile(SECRET, 2)]].map((value) => send(cast.admin, value)),
    ...[world.anyone, cast.member, cast.owner, cast.program].map((by) =>
      send(by, SHAPES.hostile(mark, world.number())),
    ),
  ];
}

/** Sends canaries in the headers and beside the variables of every operation, as every caller. */
export async function fuzzRequestMetadata(
  world: CanaryWorld,
  cast: CanaryActors,
  shapes: readonly Shape[],
): Promise<void> {
  await atOnce(
    rootFields().flatMap((root) =>
      shapes.map((shape, index) => () => {
        const value = SHAPES[shape](SECRET, world.number());
        const by = [cast.member, cast.owner, cast.program, world.anyone][index % 4] ?? world.anyone;
        const headers = {
          ...talkative(world),
          authorization: `${index % 2 === 0 ? 'Bearer' : 'Basic'} ${inHeader(value)}`,
          accept: acceptOf(root),
        };
        const values = {
          ...valuesOf(world, cast, root),
          unknown: value,
          ...(root.field.args.some(({ name }) => name === 'input') ? { input: { unknown: value } } : {}),
        };
        const json = {
          query: documentWithVariables(root, values, selectionOf(root)),
          variables: values,
          operationName: value,
          extensions: { a: value },
        };
        return world.send(by, {
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
  world: CanaryWorld,
  cast: CanaryActors,
  secrets: readonly string[],
): Promise<void> {
  const places = rootFields().flatMap((root) => positionsOf(root).map((path) => ({ root, path })));
  const isLoggingOut = ({ root, path }: (typeof places)[number]): boolean =>
    path.at(-1) === 'refreshToken' || root.field.name === 'claimInvitation';
  await atOnce(
    places
      .filter((place) => !isLoggingOut(place) && STORED[place.root.field.name] === undefined)
      .flatMap(({ root, path }) =>
        secrets.map(
          (secret) => () =>
            ask(world, cast.admin, root, withValue(valuesOf(world, cast, root), path, secret), documentWithVariables),
        ),
      ),
  );
}

function ask(
  world: CanaryWorld,
  by: TestClient,
  root: RootField,
  values: Values,
  write: typeof documentWithVariables,
): Promise<unknown> {
  const json = {
    query: write(root, values, selectionOf(root)),
    ...(write === documentWithVariables ? { variables: values } : {}),
  };
  return world.graphql(by, json, { accept: acceptOf(root), 'user-agent': `${TEXT} agent` });
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

function valuesOf(world: CanaryWorld, cast: CanaryActors, { field: { name } }: RootField): Values {
  return isOperation(name) ? OPERATIONS[name].variables(sceneOf(world, cast)) : { groupId: cast.groupId };
}

function sceneOf(world: CanaryWorld, { groupId, owner, member }: CanaryActors): OperationFixture {
  const n = world.number();
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
