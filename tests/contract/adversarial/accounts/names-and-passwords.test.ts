import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import { PASSWORD } from '../../../support/service/test-users.js';

const REGISTER = 'mutation ($input: RegisterInput!) { register(input: $input) { user { id username } } }';
const LOGIN = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { user { id } } }';

/**
 * REST rules for names and passwords, and hashing without truncation, are tested elsewhere. These tests hold GraphQL to
 * the same rules.
 */
describe.each(['yoga', 'apollo'])('usernames and passwords over GraphQL with %s', (engine) => {
  let service: TestService;
  let anonymous: TestClient;

  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    anonymous = new TestClient(service.url);
  });
  afterAll(() => service.remove());

  /** The account's id, or the reason why there is none. */
  async function register(
    username: string,
    password = PASSWORD,
  ): Promise<{ id?: string; reason?: unknown; fields?: unknown }> {
    const { data, errors } = await anonymous.graphql<{ register: { user: { id: string } } }>(REGISTER, {
      input: { username, password },
    });
    return errors === undefined
      ? { id: data?.register.user.id ?? '' }
      : { reason: errors[0]?.extensions.reason, fields: errors[0]?.extensions.fields };
  }

  async function logIn(username: string, password = PASSWORD): Promise<unknown> {
    const { data, errors } = await anonymous.graphql<{ issueToken: { user: { id: string } } }>(LOGIN, {
      input: { username, password },
    });
    const rest = await anonymous.post('/api/auth/token', { username, password });
    const outcomes = [
      data?.issueToken.user.id ?? errors?.[0]?.extensions.reason,
      (rest.body as { user_id?: string }).user_id ?? (rest.body as { reason: string }).reason,
    ];
    // Both transports return the same.
    expect(outcomes[0]).toBe(outcomes[1]);
    return outcomes[0];
  }

  it('map every case, form and width of a name to one account (parse-server#3990, home-assistant#301)', async () => {
    const { id } = await register('Zo\u00e9.Smith');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    for (const username of [
      'zo\u00e9.smith',
      'ZO\u00c9.SMITH',
      'Zoe\u0301.Smith',
      'ZOE\u0301.SMITH',
      '\uff3ao\u00e9.Smith',
    ]) {
      expect([username, (await register(username)).reason]).toEqual([username, 'USERNAME_TAKEN']);
      expect([username, await logIn(username)]).toEqual([username, id]);
    }
    // Without its accent it is another name.
    expect((await register('Zoe.Smith')).id).not.toBe(id);
  });

  it.each([
    '\u200b\u200b',
    'ali\u200bce',
    '\u202ealice',
    'a\u0007b',
    ' alice',
    'alice ',
    'al ice\n',
    '   ',
    '',
    '\u00a0alice',
    'alice\u3000',
    'al\u00adice',
    '\ufeffalice',
    'alice\u2060',
    'a\u180eb',
    'ali\ufe0fce',
    '\u3164\u3164\u3164',
    'alice\u{e0041}',
    '.alice',
    'alice.',
    'a/b',
    'a@b',
    '<b>alice</b>',
    'alice\u0000',
    'alice\r\nbob',
  ])('reject the username %j in registration and login (openstreetmap-website#4538)', async (username) => {
    const { reason, fields } = await register(username);
    expect([reason, fields]).toEqual(['INVALID_INPUT', [{ field: 'username', message: expect.any(String) }]]);
    expect(await logIn(username)).toBe('WRONG_CREDENTIALS');
  });

  it('compare a password to its last character, in every Unicode form (rodauth#4, vlang#18923)', async () => {
    const long = ['a'.repeat(72), '\u{1f3ee}'.repeat(100), 'caf\u00e9 '.repeat(20)];
    for (const [index, beginning] of long.entries()) {
      const username = `long-${index}`;
      const { id } = await register(username, `${beginning}X`);
      expect(await logIn(username, `${beginning}X`)).toBe(id);
      expect(await logIn(username, `${beginning}X`.normalize('NFD'))).toBe(id);
      expect(await logIn(username, `${beginning}Y`)).toBe('WRONG_CREDENTIALS');
      expect(await logIn(username, beginning)).toBe('WRONG_CREDENTIALS');
    }
  });

  it('reject a phrase of 200 characters with the limit, and accept one of 128', async () => {
    const phrase = 'correct horse battery staple '.repeat(7);
    expect(await register('phrase', phrase.slice(0, 200))).toEqual({
      reason: 'PASSWORD_TOO_LONG',
      fields: [{ field: 'password', message: 'must be at most 128 characters' }],
    });
    const { id } = await register('phrase', phrase.slice(0, 128));
    expect(await logIn('phrase', phrase.slice(0, 128))).toBe(id);
    expect(await logIn('phrase', phrase.slice(0, 200))).toBe('WRONG_CREDENTIALS');
  });
});
