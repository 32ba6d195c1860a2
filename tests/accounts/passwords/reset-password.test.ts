import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  deriveLinkSecret,
  newId,
  requestPasswordReset,
  resetPassword,
  updateProfile,
  verifyEmail,
} from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithReason } from '../../support/error-matchers.js';
import {
  AWAY,
  createPasswordsFixture,
  HOME,
  isAlive,
  NEW_PASSWORD,
  PASSWORD,
  type PasswordsFixture,
} from './passwords-fixture.js';

let fixture: PasswordsFixture;
let made = 0;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

/** User with a verified address and a mailed link. */
async function createUserWithLink(): Promise<{ username: string; email: string; secret: string }> {
  const username = `asker-${String(made++)}`;
  const email = `${username}@example.org`;
  await fixture.join(username, email);
  return { username, email, secret: await requestLink(email) };
}

async function requestLink(email: string): Promise<string> {
  await requestPasswordReset(fixture.accounts, email, AWAY);
  expect(await fixture.deliver()).toEqual(['DONE']);
  return fixture.mailer.secretTo(email);
}

function use(secret: string, newPassword = NEW_PASSWORD): Promise<{ revokedSessions: number }> {
  return resetPassword(fixture.accounts, { secret, newPassword }, AWAY);
}

describe('requestPasswordReset', () => {
  it('mails a link to the stored form of the address', async () => {
    await fixture.join('ada', 'Ada@example.org');
    expect(await requestPasswordReset(fixture.accounts, 'ADA@EXAMPLE.ORG', HOME)).toEqual({ accepted: true });
    expect(await fixture.deliver()).toEqual(['DONE']);
    const mail = fixture.mailer.sent.at(-1);
    expect(mail).toMatchObject({ to: 'Ada@example.org', subject: 'Choose a new password for Convene' });
    expect(mail?.text).toContain('Hello ada,');
    expect(mail?.text).toMatch(/^http:\/\/localhost:\d+\/reset-password#secret=[\w-]{70}$/m);
  });

  it('sends the same mail again when the task is retried', async () => {
    const { email } = await createUserWithLink();
    const [task] = await fixture.sql<{ id: string }>(
      `select id from outbox_task where name = 'reset_password' order by id desc limit 1`,
    );
    await fixture.sql(`update outbox_task set status = 'QUEUED', due_at = now() where id = $1`, [task?.id]);
    await fixture.deliver();
    const [first, second] = fixture.mailer.sent.filter(({ to }) => to === email).slice(-2);
    expect(second).toEqual(first);
  });

  it.each(['an unknown', 'an unverified', 'a disabled'])(
    'responds alike for %s address, but sends and stores nothing',
    async (which) => {
      const [username, email] = [which.replaceAll(' ', '-'), `${which.replaceAll(' ', '-')}@example.org`];
      if (which === 'a disabled') await fixture.join(username, email);
      if (which === 'a disabled')
        await fixture.sql('update account set disabled_at = now() where username = $1', [username]);
      if (which === 'an unverified')
        await updateProfile(fixture.accounts, await fixture.join(username), { email, currentPassword: PASSWORD }, HOME);
      await fixture.deliver();
      const known = await createUserWithLink();
      const mails = fixture.mailer.sent.length;
      const forKnown = await countStatements(() => requestPasswordReset(fixture.accounts, known.email, HOME));
      await fixture.deliver();
      const forOther = await countStatements(() => requestPasswordReset(fixture.accounts, email, HOME));
      expect(forOther).toEqual(forKnown);
      expect(await fixture.deliver()).toEqual(['SKIPPED']);
      expect(fixture.mailer.sent).toHaveLength(mails + 1);
      expect(await fixture.sql('select * from password_reset where email_key = $1', [email])).toEqual([]);
    },
  );

  it('rejects text that is not an address', async () => {
    await expect(requestPasswordReset(fixture.accounts, 'ada', HOME)).rejects.toMatchObject({
      fields: [{ field: 'email' }],
    });
    await expect(requestPasswordReset(fixture.accounts, 'a\u0000b@example.org', HOME)).rejects.toMatchObject({
      fields: [{ field: 'email' }],
    });
  });

  it('stores no secret, and no address in the payload of the task', async () => {
    const { email, secret } = await createUserWithLink();
    const [tasks, resets] = await Promise.all([
      fixture.sql(`select * from outbox_task where name = 'reset_password'`),
      fixture.sql('select * from password_reset'),
    ]);
    expect(JSON.stringify(tasks)).not.toContain(email);
    for (const stored of [tasks, resets].map((rows) => JSON.stringify(rows)))
      expect(stored).not.toContain(secret.slice(27));
  });
});

describe('resetPassword', () => {
  it('replaces the password and revokes every session', async () => {
    const { username, secret } = await createUserWithLink();
    const sessions = [await fixture.signedIn(username), await fixture.signedIn(username)];
    expect(await use(secret)).toMatchObject({ revokedSessions: 3 });
    for (const session of sessions) expect(await isAlive(fixture, session)).toBe(false);
    await expect(fixture.logIn(username, PASSWORD)).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    await fixture.logIn(username, NEW_PASSWORD);
  });

  it('accepts a secret once, also under concurrent calls', async () => {
    const { secret } = await createUserWithLink();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => use(secret)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(use(secret)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
  });

  it('accepts a secret for 30 minutes after the request', async () => {
    const [one, other] = [await createUserWithLink(), await createUserWithLink()];
    fixture.clock.advance(30 * MINUTE_MS - 1);
    await use(one.secret);
    fixture.clock.advance(1);
    await expect(use(other.secret)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
  });

  it('accepts an earlier link too, and then no other one', async () => {
    const { email, secret: first } = await createUserWithLink();
    const second = await requestLink(email);
    await use(first);
    await expect(use(second)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
  });

  it('keeps the secret valid when the password is rejected', async () => {
    const { username, secret } = await createUserWithLink();
    await expect(use(secret, username)).rejects.toMatchObject({
      reason: 'PASSWORD_TOO_COMMON',
      fields: [{ field: 'newPassword' }],
    });
    await expect(use(secret, 'short')).rejects.toEqual(errorWithReason('PASSWORD_TOO_SHORT'));
    await use(secret);
  });

  it('rejects the secret when the address belongs to another account or to none', async () => {
    const { username, email, secret } = await createUserWithLink();
    const other = await fixture.join('heir');
    await updateProfile(
      fixture.accounts,
      await fixture.signedIn(username),
      { email: null, currentPassword: PASSWORD },
      HOME,
    );
    await updateProfile(fixture.accounts, other, { email, currentPassword: PASSWORD }, HOME);
    await fixture.deliver();
    await verifyEmail(fixture.accounts, fixture.mailer.secretTo(email));
    await expect(use(secret)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
    await fixture.logIn('heir', PASSWORD);
  });

  it('rejects the secret of a disabled account', async () => {
    const { username, secret } = await createUserWithLink();
    await fixture.sql('update account set disabled_at = now() where username = $1', [username]);
    await expect(use(secret)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
  });

  it('cancels a pending change of the email address', async () => {
    const { username, email, secret } = await createUserWithLink();
    await updateProfile(
      fixture.accounts,
      await fixture.signedIn(username),
      { email: `thief-${email}`, currentPassword: PASSWORD },
      HOME,
    );
    await fixture.deliver();
    await use(secret);
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo(`thief-${email}`))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
  });

  it('rejects a secret with another purpose, row or issue number', async () => {
    const { secret } = await createUserWithLink();
    const { serverSecret } = fixture.accounts;
    const [row] = await fixture.sql<{ id: string; user_id: string }>(
      'select id, user_id from password_reset order by id desc limit 1',
    );
    const id = row?.id ?? '';
    for (const wrong of [
      deriveLinkSecret(serverSecret, 'verify-email', { id, version: 1 }),
      deriveLinkSecret(serverSecret, 'invitation', { id, version: 1 }),
      deriveLinkSecret(serverSecret, 'reset-password', { id, version: 2 }),
      deriveLinkSecret(serverSecret, 'reset-password', { id: newId(), version: 1 }),
      deriveLinkSecret(serverSecret, 'reset-password', { id: row?.user_id ?? '', version: 1 }),
      (await fixture.logIn('ada')).accessToken,
      (await fixture.logIn('ada')).refreshToken,
      '',
      'x',
      `${secret}A`,
    ])
      await expect(use(wrong)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
    await expect(verifyEmail(fixture.accounts, secret)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
    await use(secret);
  });
});
