import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { deriveLinkSecret, getViewer, updateProfile, type UserActor } from '../../../src/accounts/index.js';
import { claimInvitation, createGroup, inviteToGroup } from '../../../src/groups/index.js';
import {
  createPasswordsFixture,
  HOME,
  PASSWORD,
  type PasswordsFixture,
} from '../../accounts/passwords/passwords-fixture.js';
import { countLockWaits, isLockAwaited } from '../../support/database/lock-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const ROUNDS = 25;
const VICTIM = 'victim@example.org';

let fixture: PasswordsFixture;
let host: UserActor;
let groupId: string;

beforeAll(async () => {
  fixture = await createPasswordsFixture();
  host = await fixture.join('host', 'host@example.org');
  ({
    group: { id: groupId },
  } = await createGroup(fixture.groups, host, { name: 'Supper club' }));
});
afterAll(() => fixture.remove());

/** Someone whose address is not proven, with an invitation that was mailed to it. */
async function invited(username: string): Promise<{ guest: UserActor; address: string; secret: string }> {
  const address = `${username}@example.org`;
  const guest = await fixture.join(username);
  await giveAddress(guest, address);
  const { results } = await inviteToGroup(fixture.groups, host, { groupId, invitees: [{ email: address }] });
  const id = results[0]?.invitation?.id ?? '';
  return { guest, address, secret: deriveLinkSecret(fixture.groups.serverSecret, 'invitation', { id, version: 1 }) };
}

async function giveAddress(actor: UserActor, email: string | null): Promise<void> {
  await updateProfile(fixture.accounts, actor, { email, currentPassword: PASSWORD }, HOME);
}

async function exchangeAddress(actor: UserActor): Promise<void> {
  await giveAddress(actor, null);
  await giveAddress(actor, VICTIM);
}

/** Stalls every transaction that adds a member, after its reads and before its writes, until the work is done. */
async function whileClaimsStall(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: fixture.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table member in share mode');
    await work();
  } finally {
    await holder.end();
  }
}

describe('a claim that proves the address of its invitation', () => {
  it('verifies no address that replaces it during the claim', async () => {
    const { guest, secret } = await invited('stalled');
    let claim: Promise<unknown> = Promise.resolve();
    let exchange: Promise<unknown> = Promise.resolve();
    await whileClaimsStall(async () => {
      claim = claimInvitation(fixture.groups, guest, { secret, status: 'ACCEPTED' });
      await waitUntil('the claim stalls', () => isLockAwaited(fixture.database));
      const state = { isOver: false };
      exchange = exchangeAddress(guest).finally(() => {
        state.isOver = true;
      });
      const waits = async (): Promise<boolean> => state.isOver || (await countLockWaits(fixture.database)) > 1;
      await waitUntil('the addresses are exchanged, or wait for the claim', waits);
    });
    await Promise.all([claim, exchange]);
    expect(await getViewer(fixture.accounts, guest)).toMatchObject({ email: VICTIM, emailVerified: false });
  });

  it('verifies nothing else and throws no other error when the address changes concurrently', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { guest, secret } = await invited(`racing-${round}`);
      await Promise.all([
        claimInvitation(fixture.groups, guest, { secret, status: 'ACCEPTED' }),
        exchangeAddress(guest),
      ]);
      expect(await getViewer(fixture.accounts, guest)).toMatchObject({ email: VICTIM, emailVerified: false });
    }
  }, 60_000);
});
