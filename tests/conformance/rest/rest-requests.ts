import { randomBytes } from 'node:crypto';
import type { Request } from '../../support/http/test-client.js';
import { PASSWORD } from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import type { RestFixture } from './rest-fixture.js';

export interface RestRequest extends Request {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** The status of the service. */
  readonly status: number;
  /** Null for a request without a token. */
  readonly token: string | null;
}

type Outcome = readonly [title: string, status: number, request?: Request & { readonly path?: string }];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests of every path with their statuses: successes and the errors of each kind. */
export function restRequests({ guest, owner, groupId }: RestFixture): readonly RestRequest[] {
  const register = (changes: object = {}): Request => ({
    json: { username: `r-${randomBytes(6).toString('hex')}`, password: PASSWORD, ...changes },
  });
  const login = { username: guest.username, password: PASSWORD };
  const group = `/api/groups/${groupId}`;
  const status = `${group}/users/${guest.id}/status`;
  return [
    ...requests('POST', '/api/auth/register', null, [
      ['a new account', 201, register()],
      ['all fields', 201, register({ email: `${guest.username}@example.org`, display_name: 'Grace' })],
      ['a taken username', 409, { json: login }],
      ['a short password', 422, register({ password: 'short' })],
      ['a common password', 422, register({ password: 'password123' })],
      ['an unknown field', 422, register({ role: 'admin' })],
      ['an unknown invitation', 404, register({ invitation: 'nonsense' })],
      ...bodyErrors,
    ]),
    ...requests('POST', '/api/auth/token', null, [
      ['a login', 200, { json: login }],
      ['a login by a form', 200, { headers: FORM, body: new URLSearchParams(login).toString() }],
      ['a wrong password', 401, { json: { ...login, password: 'wrong' } }],
      ['a wrong password in a form', 400, { headers: FORM, body: `username=${guest.username}&password=wrong` }],
      ['an unknown refresh token', 401, { json: { grant_type: 'refresh_token', refresh_token: 'nonsense' } }],
      ['another grant in a form', 400, { headers: FORM, body: 'grant_type=client_credentials' }],
      ['an empty form', 400, { headers: FORM, body: '' }],
      ...bodyErrors,
    ]),
    ...requests('POST', '/api/auth/revoke', null, [
      ['an unknown token', 200, { json: { token: 'nonsense' } }],
      ['an unknown token in a form', 200, { headers: FORM, body: 'token=nonsense' }],
      ['a form without a token', 400, { headers: FORM, body: 'other=1' }],
      ...bodyErrors,
    ]),
    ...requests('GET', '/api/auth/me', guest.token, [['the profile', 200], ...readErrors('/api/auth/me')]),
    ...['accepted-count', 'members', 'compatibility_score'].flatMap((name) =>
      requests('GET', `${group}/${name}`, guest.token, [
        ['the resource', 200],
        ['an unknown group', 404, { path: `/api/groups/${UNKNOWN_ID}/${name}` }],
        ['an id that is no UUID', 422, { path: `/api/groups/nonsense/${name}` }],
        ...readErrors(`${group}/${name}`),
      ]),
    ),
    ...requests('GET', `${group}/members`, guest.token, [
      ['a page', 200, { path: `${group}/members?limit=1` }],
      ['a filtered page', 200, { path: `${group}/members?status=pending&limit=1` }],
      ['another status', 422, { path: `${group}/members?status=ACCEPTED` }],
      ['a limit that is too large', 422, { path: `${group}/members?limit=1001` }],
      ['an unknown cursor', 422, { path: `${group}/members?cursor=nonsense` }],
    ]),
    ...requests('PATCH', status, guest.token, [
      ['a response', 200, { json: { status: 'accepted' } }],
      [
        'a merge patch',
        200,
        { headers: { 'content-type': 'application/merge-patch+json' }, body: '{"status":"declined"}' },
      ],
      ['a response again', 200, { json: { status: 'declined' } }],
      ['any revision', 200, { json: { status: 'tentative' }, headers: { 'if-match': '*' } }],
      ['an outdated revision', 412, { json: { status: 'accepted' }, headers: { 'if-match': '"999"' } }],
      ['a status in upper case', 422, { json: { status: 'ACCEPTED' } }],
      ['the status of another member', 403, { json: { status: 'accepted' }, path: status.replace(guest.id, owner.id) }],
      ['an unknown member', 404, { json: { status: 'accepted' }, path: status.replace(guest.id, UNKNOWN_ID) }],
      ...bodyErrors,
    ]),
  ];
}

const bodyErrors: readonly Outcome[] = [
  ['a body that is no object', 400, { headers: JSON_TYPE, body: '[]' }],
  ['an empty object', 422, { json: {} }],
  ['a body that is too large', 413, { json: { large: 'x'.repeat(110_000) } }],
  ['another media type', 415, { headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ['another accepted media type', 406, { json: {}, headers: { accept: 'text/html' } }],
];

function readErrors(path: string): readonly Outcome[] {
  return [
    ['an invalid token', 401, { headers: { authorization: 'Bearer nonsense' } }],
    ['an unknown query parameter', 422, { path: `${path}?other=1` }],
    ['another accepted media type', 406, { headers: { accept: 'text/html' } }],
  ];
}

function requests(method: string, path: string, token: string | null, outcomes: readonly Outcome[]): RestRequest[] {
  return outcomes.map(([title, status, request = {}]) => ({
    title: `${method} ${path.replaceAll(/[\da-f-]{36}/g, '…')}: ${title}`,
    method,
    path,
    status,
    token,
    ...request,
  }));
}
