import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getViewer,
  requestEmailVerification,
  updateProfile,
  verifyEmail,
  type UserActor,
} from '../../../src/accounts/index.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { ANONYMOUS } from '../../support/groups/groups-fixture.js';
import { createPasswordsFixture, HOME, PASSWORD, type PasswordsFixture } from '../passwords/passwords-fixture.js';

let fixture: PasswordsFixture;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

function changeEmail(
  actor: UserActor,
  email: string | null,
  currentPassword: string | null = PASSWORD,
): ReturnType<typeof updateProfile> {
  return updateProfile(fixture.accounts, actor, { email, currentPassword }, HOME);
}

describe('updateProfile with a display name', () => {
  it('sets, keeps and clears it without a password', async () => {
    const ada = await fixture.join('ada');
    const set = (displayName?: string | null) =>
      updateProfile(fixture.accounts, ada, { displayName, currentPassword: null }, HOME);
    expect(await set('Ada L.')).toMatchObject({ displayName: 'Ada L.' });
    expect(await set()).toMatchObject({ displayName: 'Ada L.' });
    expect(await set(null)).toMatchObject({ displayName: null });
    expect(await set('Zoe\u0301')).toMatchObject({ displayName: 'Zo\u00e9' });
  });

  it.each(['', ' Ada', 'A\u0000', '\u200b', 'x'.repeat(81)])('rejects %j', async (displayName) => {
    const ada = await fixture.signedIn('ada');
    await expect(
      updateProfile(fixture.accounts, ada, { displayName, currentPassword: null }, HOME),
    ).rejects.toMatchObject({ fields: [{ field: 'displayName' }] });
  });
});

describe('updateProfile with an email address', () => {
  it('replaces the verified address when the new one is verified', async () => {
    const grace = await fixture.join('grace', 'grace@example.org');
    expect(await changeEmail(grace, 'hopper@example.org')).toMatchObject({
      email: 'grace@example.org',
      emailVerified: true,
    });
    await fixture.logIn('grace@example.org');
    await expect(fixture.logIn('hopper@example.org')).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    expect(await fixture.deliver()).toEqual(['DONE']);
    expect(await verifyEmail(fixture.accounts, fixture.mailer.secretTo('hopper@example.org'))).toMatchObject({
      email: 'hopper@example.org',
      emailVerified: true,
    });
    await fixture.logIn('hopper@example.org');
    await expect(fixture.logIn('grace@example.org')).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
  });

  it('replaces an unverified address, and resends the link to the new one', async () => {
    const joan = await fixture.join('joan');
    await changeEmail(joan, 'first@example.org');
    expect(await changeEmail(joan, 'second@example.org')).toMatchObject({
      email: 'first@example.org',
      emailVerified: false,
    });
    expect(await requestEmailVerification(fixture.accounts, joan)).toEqual({ sent: true });
    await fixture.deliver();
    expect(fixture.mailer.sent.at(-1)).toMatchObject({ to: 'second@example.org' });
    await verifyEmail(fixture.accounts, fixture.mailer.secretTo('second@example.org'));
    expect(await getViewer(fixture.accounts, joan)).toMatchObject({ email: 'second@example.org', emailVerified: true });
    expect(await requestEmailVerification(fixture.accounts, joan)).toEqual({ sent: false });
  });

  it('shows the address immediately when there was none', async () => {
    const mary = await fixture.join('mary');
    expect(await changeEmail(mary, 'Mary@example.org')).toMatchObject({
      email: 'Mary@example.org',
      emailVerified: false,
    });
  });

  it('requires the current password and changes nothing without it', async () => {
    const radia = await fixture.join('radia', 'radia@example.org');
    await expect(changeEmail(radia, 'new@example.org', null)).rejects.toMatchObject({
      fields: [{ field: 'currentPassword' }],
    });
    const both = { displayName: 'Not to be', email: 'new@example.org', currentPassword: 'wrong' };
    await expect(updateProfile(fixture.accounts, radia, both, HOME)).rejects.toEqual(
      errorWithReason('WRONG_CREDENTIALS'),
    );
    expect(await getViewer(fixture.accounts, radia)).toMatchObject({ email: 'radia@example.org', displayName: null });
    expect(await fixture.deliver()).toEqual([]);
  });

  it('requires no password for the unchanged address', async () => {
    const radia = await fixture.signedIn('radia');
    expect(await changeEmail(radia, 'radia@example.org', null)).toMatchObject({
      email: 'radia@example.org',
      emailVerified: true,
    });
    expect(await fixture.deliver()).toEqual([]);
  });

  it('accepts an address that another account has verified, and reveals nothing until verification', async () => {
    const emmy = await fixture.join('emmy', 'emmy@example.org');
    const thief = await fixture.join('thief', 'thief@example.org');
    expect(await changeEmail(thief, 'emmy@example.org')).toMatchObject({
      email: 'thief@example.org',
      emailVerified: true,
    });
    await fixture.deliver();
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo('emmy@example.org'))).rejects.toEqual(
      errorWithReason('EMAIL_TAKEN'),
    );
    expect(await getViewer(fixture.accounts, emmy)).toMatchObject({ email: 'emmy@example.org', emailVerified: true });
  });

  it('can be verified for one day, by the latest link only', async () => {
    const sophie = await fixture.join('sophie', 'sophie@example.org');
    await changeEmail(sophie, 'late@example.org');
    await fixture.deliver();
    const late = fixture.mailer.secretTo('late@example.org');
    await changeEmail(sophie, 'latest@example.org');
    await expect(verifyEmail(fixture.accounts, late)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
    await fixture.deliver();
    fixture.clock.advance(DAY_MS);
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo('latest@example.org'))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
  });

  it('accepts null, which removes the address and cancels a pending one', async () => {
    const ida = await fixture.join('ida', 'ida@example.org');
    await changeEmail(ida, 'rhodes@example.org');
    await fixture.deliver();
    expect(await changeEmail(ida, null)).toMatchObject({ email: null, emailVerified: false });
    await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo('rhodes@example.org'))).rejects.toEqual(
      errorWithReason('SECRET_INVALID'),
    );
    expect(await requestEmailVerification(fixture.accounts, ida)).toEqual({ sent: false });
  });

  it('is not verified by a link that was mailed to another address', async () => {
    const mallory = await fixture.join('mallory');
    await changeEmail(mallory, 'mallory@example.org');
    await fixture.deliver();
    const kept = fixture.mailer.secretTo('mallory@example.org');
    await changeEmail(mallory, null);
    await changeEmail(mallory, 'victim@example.org');
    await expect(verifyEmail(fixture.accounts, kept)).rejects.toEqual(errorWithReason('SECRET_INVALID'));
    expect(await getViewer(fixture.accounts, mallory)).toMatchObject({
      email: 'victim@example.org',
      emailVerified: false,
    });
  });

  it.each(['ada', 'a@b@c', `${'a'.repeat(255)}@example.org`])('rejects %s', async (email) => {
    await expect(changeEmail(await fixture.signedIn('ada'), email)).rejects.toMatchObject({
      fields: [{ field: 'email' }],
    });
  });
});

describe('updateProfile', () => {
  it('requires a signed-in user with an enabled account', async () => {
    await expect(
      updateProfile(fixture.accounts, ANONYMOUS, { displayName: 'X', currentPassword: null }, HOME),
    ).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    const lise = await fixture.join('lise');
    await fixture.sql(`update account set disabled_at = now() where username = 'lise'`);
    await expect(
      updateProfile(fixture.accounts, lise, { displayName: 'X', currentPassword: null }, HOME),
    ).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
  });
});
