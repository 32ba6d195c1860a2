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
import { HOME, isAlive, NEW_PASSWORD, openPasswordsWorld, PASSWORD, type PasswordsWorld } from './passwords-fixture.js';

let world: PasswordsWorld;

beforeAll(async () => {
  world = await openPasswordsWorld();
});
afterAll(() => world.remove());

const CHANGE = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

describe('changing a password', () => {
  it('replaces it, and ends every session but the present one', async () => {
    const present = await world.join('ada');
    const others = [await world.signedIn('ada'), await world.signedIn('ada')];
    expect(await changePassword(world.accounts, present, CHANGE, HOME)).toEqual({ revokedSessions: 2 });
    expect(await isAlive(world, present)).toBe(true);
    for (const other of others) expect(await isAlive(world, other)).toBe(false);
    await expect(world.logIn('ada', PASSWORD)).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    await world.logIn('ada', NEW_PASSWORD);
  });

  it('takes the current password, and changes nothing without it', async () => {
    const grace = await world.join('grace');
    const other = await world.signedIn('grace');
    await expect(
      changePassword(world.accounts, grace, { ...CHANGE, currentPassword: NEW_PASSWORD }, HOME),
    ).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    expect(await isAlive(world, other)).toBe(true);
    await world.logIn('grace', PASSWORD);
  });

  it.each([
    ['PASSWORD_TOO_SHORT', 'short'],
    ['PASSWORD_TOO_LONG', 'x'.repeat(129)],
    ['PASSWORD_TOO_COMMON', 'password123'],
    ['PASSWORD_TOO_COMMON', 'Joan-Of-Arc'],
    ['PASSWORD_TOO_COMMON', 'joan@example.org'],
  ] as const)('says %s of a new password that is', async (reason, newPassword) => {
    const joan = await world.signedIn('joan-of-arc').catch(() => world.join('joan-of-arc', 'joan@example.org'));
    await expect(changePassword(world.accounts, joan, { ...CHANGE, newPassword }, HOME)).rejects.toMatchObject({
      reason,
      fields: [{ field: 'newPassword' }],
    });
  });

  it('takes someone who is signed in and whose account is there and enabled', async () => {
    await expect(changePassword(world.accounts, ANONYMOUS, CHANGE, HOME)).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    const mary = await world.join('mary');
    await world.sql(`update account set disabled_at = now() where username = 'mary'`);
    await expect(changePassword(world.accounts, mary, CHANGE, HOME)).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
  });

  it('ends the reset links that were mailed before', async () => {
    const radia = await world.join('radia', 'radia@example.org');
    await requestPasswordReset(world.accounts, 'radia@example.org', HOME);
    await world.deliver();
    await changePassword(world.accounts, radia, CHANGE, HOME);
    const use = { secret: world.mailer.secretTo('radia@example.org'), newPassword: 'a third password' };
    await expect(resetPassword(world.accounts, use, HOME)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
  });

  it('ends a change of the email address that is not proven yet', async () => {
    const sophie = await world.join('sophie', 'sophie@example.org');
    await updateProfile(world.accounts, sophie, { email: 'thief@example.org', currentPassword: PASSWORD }, HOME);
    await world.deliver();
    await changePassword(world.accounts, sophie, CHANGE, HOME);
    await expect(verifyEmail(world.accounts, world.mailer.secretTo('thief@example.org'))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
  });

  it('removes an address that was never proven: whoever knew the old password may have given it', async () => {
    const lise = await world.join('lise');
    await updateProfile(world.accounts, lise, { email: 'thief-of-lise@example.org', currentPassword: PASSWORD }, HOME);
    await world.deliver();
    await changePassword(world.accounts, lise, CHANGE, HOME);
    expect(await getViewer(world.accounts, lise)).toMatchObject({ email: null, emailVerified: false });
    await expect(verifyEmail(world.accounts, world.mailer.secretTo('thief-of-lise@example.org'))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
    expect(await requestEmailVerification(world.accounts, lise)).toEqual({ sent: false });
  });

  it('leaves a proven address as it is', async () => {
    const ida = await world.join('ida', 'ida@example.org');
    await changePassword(world.accounts, ida, CHANGE, HOME);
    expect(await getViewer(world.accounts, ida)).toMatchObject({ email: 'ida@example.org', emailVerified: true });
  });

  it('lets one of several at once win, and the others only with the password that then holds', async () => {
    const emmy = await world.join('emmy');
    const outcomes = await Promise.allSettled(
      ['first choice of hers', 'second choice of hers', 'third choice of hers'].map((newPassword) =>
        changePassword(world.accounts, emmy, { currentPassword: PASSWORD, newPassword }, HOME),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)).toEqual(
      Array(2).fill(errorWithReason('WRONG_CREDENTIALS')),
    );
  });
});
