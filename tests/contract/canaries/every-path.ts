import { ROUTES } from '../../../src/rest/index.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import type { Request, TestClient } from '../../support/http/test-client.js';
import type { CanaryFixture } from './canary-fixture.js';
import { markedHeaders } from './canary-users.js';
import type { CanaryActors } from './happy-paths.js';
import { inHeader, SECRET, SHAPES, TEXT, type Mark, type Shape } from './marks.js';
import { runConcurrently } from './run-concurrently.js';

type Body = Readonly<Record<string, unknown>>;

/** Every field that the bodies may have. The paths are those of the routes. One that is missing here has no body. */
const BODIES: Readonly<Record<string, (n: number) => Body>> = {
  'POST /api/auth/register': (n) => ({
    username: `${TEXT}-rest-${n}`,
    password: `${SECRET} lanterns`,
    email: null,
    display_name: null,
    invitation: null,
  }),
  'POST /api/auth/token': () => ({
    username: 'nobody',
    password: 'nothing',
    grant_type: '',
    refresh_token: '',
    scope: '',
    client_id: '',
  }),
  'POST /api/auth/revoke': () => ({ token: 'nothing', token_type_hint: '' }),
  'PATCH /api/groups/:group_id/users/:user_id/status': () => ({ status: 'accepted' }),
};

/** Fields of a registration that are stored. */
const STORED: readonly string[] = ['username', 'email', 'display_name'];

type Route = (typeof ROUTES)[number];

/** Sends canaries in the parameters, body, query and headers of every documented path. */
export async function fuzzEveryPath(
  fixture: CanaryFixture,
  actors: CanaryActors,
  shapes: readonly Shape[],
): Promise<void> {
  const callers = [actors.admin, actors.member, actors.apiClient, fixture.anonymous];
  await runConcurrently(
    ROUTES.flatMap((route) =>
      shapes.flatMap((shape, index) => {
        const client = callers[index % callers.length] ?? fixture.anonymous;
        const send =
          (request: Request = {}, path = pathOf(route, actors)) =>
          () =>
            fixture.send(client, { method: route.method, path, ...request });
        return [
          ...inPath(route, actors, shape, send),
          ...inBody(fixture, route, shape, send),
          ...inHeaders(fixture, route, shape, send),
        ];
      }),
    ),
  );
}

type Send = (request?: Request, path?: string) => () => Promise<unknown>;

function inPath(route: Route, actors: CanaryActors, shape: Shape, send: Send): (() => Promise<unknown>)[] {
  const value = SHAPES[shape](SECRET, 1);
  const encoded = encodeURIComponent(value);
  const body = BODIES[keyOf(route)]?.(1);
  const request = body === undefined ? {} : { json: body };
  const names = [...route.path.matchAll(/:\w+/g)].map(([name]) => name);
  return [
    ...names.map((name) => send(request, pathOf({ ...route, path: route.path.replace(name, encoded) }, actors))),
    ...[...Object.keys(route.query), 'unknown'].map((name) =>
      send(request, `${pathOf(route, actors)}?${name}=${encoded}`),
    ),
  ];
}

function inBody(fixture: CanaryFixture, route: Route, shape: Shape, send: Send): (() => Promise<unknown>)[] {
  const makeBody = BODIES[keyOf(route)];
  if (makeBody === undefined) return [];
  const filled = (field: string): Body => ({
    ...makeBody(fixture.number()),
    [field]: SHAPES[shape](markOf(field), fixture.number()),
  });
  const secret = SHAPES[shape](SECRET, 2);
  return [
    ...[...Object.keys(makeBody(0)), 'unknown'].flatMap((field) => [
      send({ json: filled(field) }),
      send({ json: { ...makeBody(fixture.number()), [field]: [secret] } }),
      send({ json: { ...makeBody(fixture.number()), [field]: { a: secret } } }),
      send({ body: new URLSearchParams(Object.entries(filled(field)).map(([name, value]) => [name, String(value)])) }),
    ]),
    ...[
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      `application/json; charset=${SECRET}`,
    ].map((type) => send({ body: `${secret}=${secret}`, headers: { 'content-type': type } })),
  ];
}

function inHeaders(fixture: CanaryFixture, route: Route, shape: Shape, send: Send): (() => Promise<unknown>)[] {
  const value = inHeader(SHAPES[shape](SECRET, fixture.number()));
  const json = BODIES[keyOf(route)]?.(fixture.number());
  return ['Bearer', 'Basic', ''].map((scheme) =>
    send({
      ...(json === undefined ? {} : { json }),
      headers: {
        ...markedHeaders(fixture),
        authorization: `${scheme} ${value}`.trim(),
        'idempotency-key': value,
        'x-request-id': value,
        'x-forwarded-for': value,
        accept: 'application/json',
        origin: `https://${SECRET}.example.org`,
      },
    }),
  );
}

/** Unknown paths, and requests that are hardly HTTP. */
export async function requestUnknownPaths(
  fixture: CanaryFixture,
  { admin }: CanaryActors,
  shapes: readonly Shape[],
): Promise<void> {
  const values = shapes.map((shape) => encodeURIComponent(SHAPES[shape](SECRET, 3)));
  const paths = values.flatMap((value) => [
    `/${value}`,
    `/api/${value}`,
    `/api/auth/me/${value}`,
    `/verify-email?secret=${value}`,
    `/reset-password?secret=${value}`,
    `/invitation?secret=${value}`,
    `/livez?${value}`,
    `/problems/${value}`,
    `/.well-known/${value}`,
    `/graphql/${value}`,
  ]);
  const ask = (client: TestClient, method: string, path: string) => () =>
    fixture.send(client, { method, path, headers: markedHeaders(fixture) });
  await runConcurrently(
    paths.flatMap((path) => [
      ask(admin, 'GET', path),
      ask(fixture.anonymous, 'POST', path),
      ask(fixture.anonymous, 'DELETE', path),
    ]),
  );
  const raw = [
    requestHead(`GET /${SECRET}\u0001\u001b[2K HTTP/1.1`, 'Host: convene'),
    requestHead(`GET /${SECRET}%zz%0d%0a HTTP/1.1`, 'Host: convene', 'Connection: close'),
    requestHead('GET /api/auth/me HTTP/1.1', 'Host: convene', `User-Agent: ${SECRET}\r{"event":"login"}`),
    requestHead('GET /api/auth/me HTTP/1.1', 'Host: convene', `X-Request-Id: ${SECRET}\u0000`),
    requestHead(`${SECRET} / HTTP/1.1`, 'Host: convene'),
    requestHead('GET / HTTP/1.1', 'Host: convene', `${SECRET}\u001b: x`),
    requestHead('GET / HTTP/1.1', 'Host: convene', `X-Long: ${SECRET.repeat(2_000)}`),
    requestHead(
      'POST /api/auth/token HTTP/1.1',
      'Host: convene',
      'Content-Type: application/json',
      'Content-Length: 3',
      'Connection: close',
    ) + `{"password":"${SECRET}"}`,
    `${SECRET}\r\n{"level":30,"event":"login"}\r\n\r\n`,
  ];
  for (const request of raw) fixture.checkRawResponse(await sendRawRequest(fixture.service.url, request));
}

function keyOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function pathOf({ path }: Pick<Route, 'path'>, { groupId, member }: CanaryActors): string {
  return path.replace(':group_id', groupId).replace(':user_id', member.id);
}

function markOf(field: string): Mark {
  return STORED.includes(field) ? TEXT : SECRET;
}
