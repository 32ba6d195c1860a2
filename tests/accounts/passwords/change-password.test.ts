import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  changePassword,
  getViewer,
  requestEmailVerification,
  requestPasswordReset,
  resetPassword,
  updateProfile,
  verifyEmail,
} from '../../../src/accounts/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { ANONYMOUS } from '../../support/groups/groups-fixture.js';
import {
  createPasswordsFixture,
  HOME,
  isAlive,
  NEW_PASSWORD,
  PASSWORD,
  type PasswordsFixture,
} from './passwords-fixture.js';

let fixture: PasswordsFixture;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

const CHANGE = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

describe('changePassword', () => {
  it('replaces the password and revokes all other sessions', async () => {
    const present = await fixture.join('ada');
    const others = [await fixture.signedIn('ada'), await fixture.signedIn('ada')];
    expect(await changePassword(fixture.accounts, present, CHANGE, HOME)).toEqual({ revokedSessions: 2 });
    expect(await isAlive(fixture, present)).toBe(true);
    for (const other of others) expect(await isAlive(fixture, other)).toBe(false);
    await expect(fixture.logIn('ada', PASSWORD)).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    await fixture.logIn('ada', NEW_PASSWORD);
  });

  it('requires the current password and changes nothing without it', async () => {
    const grace = await fixture.join('grace');
    const other = await fixture.signedIn('grace');
    await expect(
      changePassword(fixture.accounts, grace, { ...CHANGE, currentPassword: NEW_PASSWORD }, HOME),
    ).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    expect(await isAlive(fixture, other)).toBe(true);
    await fixture.logIn('grace', PASSWORD);
  });

  it.each([
    ['PASSWORD_TOO_SHORT', 'short'],
    ['PASSWORD_TOO_LONG', 'x'.repeat(129)],
    ['PASSWORD_TOO_COMMON', 'password123'],
    ['PASSWORD_TOO_COMMON', 'Joan-Of-Arc'],
    ['PASSWORD_TOO_COMMON', 'joan@example.org'],
  ] as const)('throws %s for an unsuitable new password', async (reason, newPassword) => {
    const joan = await fixture.signedIn('joan-of-arc').catch(() => fixture.join('joan-of-arc', 'joan@example.org'));
    await expect(changePassword(fixture.accounts, joan, { ...CHANGE, newPassword }, HOME)).rejects.toMatchObject({
      reason,
      fields: [{ field: 'newPassword' }],
    });
  });

  it('requires a signed-in user with an enabled account', async () => {
    await expect(changePassword(fixture.accounts, ANONYMOUS, CHANGE, HOME)).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    const mary = await fixture.join('mary');
    await fixture.sql(`update account set disabled_at = now() where username = 'mary'`);
    await expect(changePassword(fixture.accounts, mary, CHANGE, HOME)).rejects.toEqual(
      errorWithReason('TOKEN_REVOKED'),
    );
  });

  it('revokes reset links that were mailed before', async () => {
    const radia = await fixture.join('radia', 'radia@example.org');
    await requestPasswordReset(fixture.accounts, 'radia@example.org', HOME);
    await fixture.deliver();
    await changePassword(fixture.accounts, radia, CHANGE, HOME);
    const use = { secret: fixture.mailer.secretTo('radia@example.org'), newPassword: 'a third password' };
    await expect(resetPassword(fixture.accounts, use, HOME)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
  });

  it('cancels a pending change of the email address', async () => {
    const sophie = await fixture.join('sophie', 'sophie@example.org');
    await updateProfile(fixture.accounts, sophie, { email: 'thief@example.org', currentPassword: PASSWORD }, HOME);
    await fixture.deliver();
    await changePassword(fixture.accounts, sophie, CHANGE, HOME);
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo('thief@example.org'))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
  });

  it('removes an unverified address, which an attacker with the old password may have set', async () => {
    const lise = await fixture.join('lise');
    await updateProfile(
      fixture.accounts,
      lise,
      { email: 'thief-of-lise@example.org', currentPassword: PASSWORD },
      HOME,
    );
    await fixture.deliver();
    await changePassword(fixture.accounts, lise, CHANGE, HOME);
    expect(await getViewer(fixture.accounts, lise)).toMatchObject({ email: null, emailVerified: false });
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo('thief-of-lise@example.org'))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
    expect(await requestEmailVerification(fixture.accounts, lise)).toEqual({ sent: false });
  });

  it('keeps a verified address', async () => {
    const ida = await fixture.join('ida', 'ida@example.org');
    await changePassword(fixture.accounts, ida, CHANGE, HOME);
    expect(await getViewer(fixture.accounts, ida)).toMatchObject({ email: 'ida@example.org', emailVerified: true });
  });

  it('lets one of several concurrent calls succeed, and then requires the new password', async () => {
    const emmy = await fixture.join('emmy');
    const outcomes = await Promise.allSettled(
      ['first choice of hers', 'second choice of hers', 'third choice of hers'].map((newPassword) =>
        changePassword(fixture.accounts, emmy, { currentPassword: PASSWORD, newPassword }, HOME),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)).toEqual(
      Array(2).fill(errorWithReason('WRONG_CREDENTIALS')),
    );
  });
});
