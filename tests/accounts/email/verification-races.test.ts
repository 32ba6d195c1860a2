import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  changePassword,
  requestEmailVerification,
  requestPasswordReset,
  resetPassword,
  updateProfile,
  verifyEmail,
  type AccountsDeps,
  type UserActor,
} from '../../../src/accounts/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import {
  createPasswordsFixture,
  HOME,
  NEW_PASSWORD,
  PASSWORD,
  type PasswordsFixture,
} from '../passwords/passwords-fixture.js';

const ROUNDS = 10;
const LOOPS = 4;

let fixture: PasswordsFixture;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
});
afterAll(() => fixture.remove());

function setAddress(actor: UserActor, email: string | null): ReturnType<typeof updateProfile> {
  return updateProfile(fixture.accounts, actor, { email, currentPassword: PASSWORD }, HOME);
}

/** Account with a verified address, for which an attacker with the password has set another, pending one. */
async function createAttackedAccount(
  name: string,
): Promise<{ owner: UserActor; attacker: UserActor; address: string; attackerAddress: string }> {
  const [address, attackerAddress] = [`${name}@example.org`, `thief-of-${name}@example.org`];
  const owner = await fixture.join(name, address);
  const attacker = await fixture.signedIn(name);
  await setAddress(attacker, attackerAddress);
  await fixture.deliver();
  return { owner, attacker, address, attackerAddress };
}

async function setPasswordTo(owner: UserActor, newPassword: string): Promise<void> {
  await changePassword(fixture.accounts, owner, { currentPassword: PASSWORD, newPassword }, HOME);
}

async function resetPasswordBy(address: string): Promise<void> {
  await requestPasswordReset(fixture.accounts, address, HOME);
  await fixture.deliver();
  await resetPassword(fixture.accounts, { secret: fixture.mailer.secretTo(address), newPassword: NEW_PASSWORD }, HOME);
}

/** Runs `work` between the request's read of the address and its transaction. */
function withConcurrentWork(work: () => Promise<unknown>): AccountsDeps {
  return {
    ...fixture.accounts,
    limits: {
      ...fixture.accounts.limits,
      take: async () => {
        await work();
      },
    },
  };
}

/** Requests links in parallel loops until `work` ends. */
async function whileRequestingLinks(actor: UserActor, work: () => Promise<void>): Promise<void> {
  const state = { isOver: false };
  const loops = Array.from({ length: LOOPS }, async () => {
    while (!state.isOver) await requestEmailVerification(fixture.accounts, actor);
  });
  await work().finally(() => {
    state.isOver = true;
  });
  await Promise.all(loops);
}

/** Requires that no link mailed to the address verifies it. */
async function expectNothingProves(address: string): Promise<void> {
  await fixture.deliver();
  await expect(verifyEmail(fixture.accounts, fixture.mailer.secretTo(address))).rejects.toEqual(
    errorWithReason('SECRET_INVALID'),
  );
}

async function pendingOf({ userId }: UserActor): Promise<string[]> {
  const select = 'select email from email_verification where user_id = $1 and used_at is null';
  const rows = await fixture.sql<{ email: string }>(select, [userId]);
  return rows.map(({ email }) => email);
}

describe('requestEmailVerification during a password change', () => {
  it('sends no link when changePassword commits between its read and its transaction', async () => {
    const { owner, attacker, attackerAddress } = await createAttackedAccount('ada');
    const deps = withConcurrentWork(() => setPasswordTo(owner, NEW_PASSWORD));
    expect(await requestEmailVerification(deps, attacker)).toEqual({ sent: false });
    await expectNothingProves(attackerAddress);
  });

  it('sends no link when resetPassword commits between its read and its transaction', async () => {
    const { attacker, address, attackerAddress } = await createAttackedAccount('grace');
    expect(
      await requestEmailVerification(
        withConcurrentWork(() => resetPasswordBy(address)),
        attacker,
      ),
    ).toEqual({ sent: false });
    await expectNothingProves(attackerAddress);
  });

  it('sends no link for the unverified address of an account without a verified one', async () => {
    const owner = await fixture.join('lise');
    const attacker = await fixture.signedIn('lise');
    await setAddress(attacker, 'thief-of-lise@example.org');
    await fixture.deliver();
    const deps = withConcurrentWork(() => setPasswordTo(owner, NEW_PASSWORD));
    expect(await requestEmailVerification(deps, attacker)).toEqual({ sent: false });
    await expectNothingProves('thief-of-lise@example.org');
  });

  it('leaves no pending verification after changePassword under parallel requests', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, attacker, attackerAddress } = await createAttackedAccount(`changing-${round}`);
      await whileRequestingLinks(attacker, () => setPasswordTo(owner, NEW_PASSWORD));
      expect(await pendingOf(owner)).toEqual([]);
      await expectNothingProves(attackerAddress);
    }
  }, 60_000);

  it('leaves no pending verification after resetPassword under parallel requests', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, attacker, address, attackerAddress } = await createAttackedAccount(`resetting-${round}`);
      await requestPasswordReset(fixture.accounts, address, HOME);
      await fixture.deliver();
      const reset = { secret: fixture.mailer.secretTo(address), newPassword: NEW_PASSWORD };
      await whileRequestingLinks(attacker, async () => {
        await resetPassword(fixture.accounts, reset, HOME);
      });
      expect(await pendingOf(owner)).toEqual([]);
      await expectNothingProves(attackerAddress);
    }
  }, 60_000);
});

describe('requestEmailVerification during a change of the address', () => {
  it('sends the link to the address that is pending at commit', async () => {
    const { owner, attackerAddress } = await createAttackedAccount('joan');
    const deps = withConcurrentWork(() => setAddress(owner, 'joan-too@example.org'));
    expect(await requestEmailVerification(deps, owner)).toEqual({ sent: true });
    await fixture.deliver();
    expect(await pendingOf(owner)).toEqual(['joan-too@example.org']);
    await expectNothingProves(attackerAddress);
  });

  it('sends no link when the address was removed concurrently', async () => {
    const { owner } = await createAttackedAccount('mary');
    expect(
      await requestEmailVerification(
        withConcurrentWork(() => setAddress(owner, null)),
        owner,
      ),
    ).toEqual({ sent: false });
    expect(await pendingOf(owner)).toEqual([]);
  });
});

describe('concurrent calls of requestEmailVerification', () => {
  it('all succeed, also without an earlier link', async () => {
    const owner = await fixture.join('radia');
    await setAddress(owner, 'radia@example.org');
    for (let round = 0; round < ROUNDS; round += 1) {
      await fixture.sql('delete from email_verification where user_id = $1', [owner.userId]);
      const ask = () => requestEmailVerification(fixture.accounts, owner);
      const responses = await Promise.all(Array.from({ length: 8 }, ask));
      expect(responses).toEqual(Array(8).fill({ sent: true }));
    }
    await fixture.deliver();
    const verified = await verifyEmail(fixture.accounts, fixture.mailer.secretTo('radia@example.org'));
    expect(verified).toMatchObject({ emailVerified: true });
  }, 60_000);
});
