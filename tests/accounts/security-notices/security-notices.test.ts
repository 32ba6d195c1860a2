import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  changePassword,
  refreshSession,
  requestPasswordReset,
  resetPassword,
  sendSecurityNotice,
  updateProfile,
  verifyEmail,
  type UserActor,
} from '../../../src/accounts/index.js';
import { HOUR_MS, SECOND_MS } from '../../../src/async/durations.js';
import { errorWithReason } from '../../support/error-matchers.js';
import {
  createPasswordsFixture,
  HOME,
  NEW_PASSWORD,
  PASSWORD,
  type PasswordsFixture,
} from '../passwords/passwords-fixture.js';

let fixture: PasswordsFixture;
let made = 0;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

interface VerifiedUser {
  readonly actor: UserActor;
  readonly username: string;
  readonly email: string;
}

/** User with a verified address. */
async function createVerifiedUser(): Promise<VerifiedUser> {
  const username = `someone-${String(made++)}`;
  const email = `${username}@example.org`;
  return { actor: await fixture.join(username, email), username, email };
}

function setEmail(actor: UserActor, email: string | null): Promise<unknown> {
  return updateProfile(fixture.accounts, actor, { email, currentPassword: PASSWORD }, HOME);
}

async function moveTo({ actor }: VerifiedUser, email: string): Promise<void> {
  await setEmail(actor, email);
  await fixture.deliver();
  await verifyEmail(fixture.accounts, fixture.mailer.secretTo(email));
}

async function reuseRefreshToken({ username }: VerifiedUser): Promise<void> {
  const { refreshToken } = await fixture.logIn(username);
  await refreshSession(fixture.accounts, refreshToken, HOME);
  fixture.clock.advance(11 * SECOND_MS);
  await expect(refreshSession(fixture.accounts, refreshToken, HOME)).rejects.toEqual(errorWithReason('REFRESH_REUSED'));
}

function change(actor: UserActor, from = PASSWORD, to = NEW_PASSWORD): Promise<unknown> {
  return changePassword(fixture.accounts, actor, { currentPassword: from, newPassword: to }, HOME);
}

async function reset(email: string): Promise<void> {
  await requestPasswordReset(fixture.accounts, email, HOME);
  await fixture.deliver();
  await resetPassword(fixture.accounts, { secret: fixture.mailer.secretTo(email), newPassword: NEW_PASSWORD }, HOME);
}

function recipients(): Promise<unknown[]> {
  return fixture.sql('select * from notice_recipient');
}

describe('security notice', () => {
  it.each<[string, (who: VerifiedUser) => Promise<unknown>, string]>([
    ['a changed password', ({ actor }) => change(actor), 'Your Convene password was changed'],
    ['a reset password', ({ email }) => reset(email), 'Your Convene password was reset'],
    ['a replaced address', (who) => moveTo(who, `new-${who.email}`), 'Your Convene email address was replaced'],
    ['a removed address', ({ actor }) => setEmail(actor, null), 'Your email address was removed from Convene'],
    ['a stolen session', reuseRefreshToken, 'One of your Convene sessions was ended'],
  ])(
    'of %s goes once to the address verified before, and its recipient is deleted then',
    async (_, happen, subject) => {
      const who = await createVerifiedUser();
      await happen(who);
      const mails = await fixture.notices();
      expect(mails).toMatchObject([
        { to: who.email, subject, text: expect.stringContaining(`Hello ${who.username},`) },
      ]);
      expect(JSON.stringify(mails)).not.toContain(`new-${who.email}`);
      expect(await recipients()).toEqual([]);
      expect(await fixture.notices()).toEqual([]);
    },
  );

  it('is dispatched immediately after the commit', async () => {
    const who = await createVerifiedUser();
    const dispatched: string[] = [];
    const deps = {
      ...fixture.accounts,
      dispatchTasks: (ids: readonly string[]) => {
        dispatched.push(...ids);
      },
    };
    await changePassword(deps, who.actor, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, HOME);
    const { refreshToken } = await fixture.logIn(who.username, NEW_PASSWORD);
    await refreshSession(deps, refreshToken, HOME);
    fixture.clock.advance(11 * SECOND_MS);
    await expect(refreshSession(deps, refreshToken, HOME)).rejects.toEqual(errorWithReason('REFRESH_REUSED'));
    await updateProfile(deps, who.actor, { email: `new-${who.email}`, currentPassword: NEW_PASSWORD }, HOME);
    await fixture.deliver();
    await verifyEmail(deps, fixture.mailer.secretTo(`new-${who.email}`));
    await updateProfile(deps, who.actor, { email: null, currentPassword: NEW_PASSWORD }, HOME);
    const tasks = await fixture.sql<{ name: string }>('select name from outbox_task where id = any($1) order by id', [
      dispatched,
    ]);
    expect(tasks.map(({ name }) => name)).toEqual([
      'notify_password_changed',
      'notify_session_stolen',
      'verify_email',
      'notify_email_replaced',
      'notify_email_removed',
    ]);
    expect(await fixture.notices()).toHaveLength(4);
  });

  it('is not enqueued when the change is rejected', async () => {
    const [who, other] = [await createVerifiedUser(), await createVerifiedUser()];
    await expect(change(who.actor, 'not the password')).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    await setEmail(who.actor, other.email);
    await fixture.deliver();
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo(other.email))).rejects.toEqual(
      errorWithReason('EMAIL_TAKEN'),
    );
    expect(await fixture.notices()).toEqual([]);
  });

  it('is not sent to an unverified address', async () => {
    const actor = await fixture.join(`unproven-${String(made++)}`);
    await setEmail(actor, 'unproven@example.org');
    await change(actor);
    await updateProfile(fixture.accounts, actor, { email: null, currentPassword: NEW_PASSWORD }, HOME);
    expect(await fixture.notices()).toEqual([]);
  });

  it('is not sent when the same address is verified in another case', async () => {
    const who = await createVerifiedUser();
    await moveTo(who, who.email.toUpperCase());
    expect(await fixture.notices()).toEqual([]);
  });

  it('goes to the former address when that was replaced before the mail is sent', async () => {
    const who = await createVerifiedUser();
    await change(who.actor);
    await updateProfile(
      fixture.accounts,
      who.actor,
      { email: `thief-${who.email}`, currentPassword: NEW_PASSWORD },
      HOME,
    );
    await fixture.deliver();
    await verifyEmail(fixture.accounts, fixture.mailer.secretTo(`thief-${who.email}`));
    expect((await fixture.notices()).map(({ to }) => to)).toEqual([who.email, who.email]);
  });

  it('is identical when it is retried, and its payload contains no address', async () => {
    const who = await createVerifiedUser();
    await change(who.actor);
    const [task] = await fixture.sql<{ id: string }>(
      `select * from outbox_task where name = 'notify_password_changed' and status = 'QUEUED'`,
    );
    const id = task?.id ?? '';
    expect(JSON.stringify(task)).not.toContain(who.email);
    const [kept] = await fixture.sql<{ user_id: string; email: string }>(
      'select user_id, email from notice_recipient where task_id = $1',
      [id],
    );
    expect(await sendSecurityNotice(fixture.accounts, 'notify_password_changed', id)).toBe('DONE');
    // As after a process that died between the mail and its record.
    await fixture.sql('insert into notice_recipient values ($1, $2, $3)', [id, kept?.user_id, kept?.email]);
    expect(await sendSecurityNotice(fixture.accounts, 'notify_password_changed', id)).toBe('DONE');
    const [first, second] = fixture.mailer.sent.slice(-2);
    expect(first).toMatchObject({ id, to: who.email });
    expect(second).toEqual(first);
    expect(await sendSecurityNotice(fixture.accounts, 'notify_password_changed', id)).toBe('SKIPPED');
  });

  it('is sent at most five times per kind for concurrent events', async () => {
    const { username } = await createVerifiedUser();
    const tokens = await Promise.all(
      Array.from({ length: 12 }, async () => (await fixture.logIn(username)).refreshToken),
    );
    for (const token of tokens) await refreshSession(fixture.accounts, token, HOME);
    fixture.clock.advance(11 * SECOND_MS);
    const outcomes = await Promise.allSettled(tokens.map((token) => refreshSession(fixture.accounts, token, HOME)));
    expect(outcomes.map(({ status }) => status)).toEqual(tokens.map(() => 'rejected'));
    expect(await fixture.notices()).toHaveLength(5);
  });

  it('is sent at most five times per kind and day', async () => {
    const who = await createVerifiedUser();
    const [there, back] = [
      [PASSWORD, NEW_PASSWORD],
      [NEW_PASSWORD, PASSWORD],
    ] as const;
    for (const way of [there, back, there, back, there, back]) await change(who.actor, ...way);
    expect(await fixture.notices()).toHaveLength(5);
    await reuseRefreshToken(who);
    expect(await fixture.notices()).toHaveLength(1);
    fixture.clock.advance(24 * HOUR_MS);
    await change(who.actor);
    expect(await fixture.notices()).toHaveLength(1);
  });
});
