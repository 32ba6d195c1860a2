import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createArgon2Hasher, issueToken, registerAccount, type PasswordHasher } from '../../../src/accounts/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { createTestCore, type TestCore } from '../../support/service/test-core.js';

const PASSWORD = 'seven quiet lanterns';
const HOME = { address: '192.0.2.1', userAgent: null };

let core: TestCore;
let stronger: PasswordHasher;

beforeAll(async () => {
  core = await createTestCore({ hasher: await createArgon2Hasher({ memoryKiB: 8_192, passes: 1 }) });
  stronger = await createArgon2Hasher({ memoryKiB: 19_456, passes: 2 });
  await registerAccount(core.accounts, { username: 'ada', password: PASSWORD, email: null, displayName: null }, HOME);
});
afterAll(() => core.remove());

async function storedHash(): Promise<string> {
  const { rows } = await core.database.pool.query<{ password_hash: string }>('select password_hash from account');
  return rows[0]?.password_hash ?? '';
}

function logIn(password: string): Promise<unknown> {
  return issueToken({ ...core.accounts, hasher: stronger }, { username: 'ada', password }, HOME);
}

describe('hash with weaker parameters', () => {
  it('is kept after a wrong password', async () => {
    const before = await storedHash();
    expect(before).toContain('$argon2id$v=19$m=8192,t=1,p=1$');
    await expect(logIn('wrong')).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    expect(await storedHash()).toBe(before);
  });

  it('is replaced once by a login, also by concurrent ones', async () => {
    await Promise.all([logIn(PASSWORD), logIn(PASSWORD), logIn(PASSWORD)]);
    const after = await storedHash();
    expect(after).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    await logIn(PASSWORD);
    expect(await storedHash()).toBe(after);
  });
});
