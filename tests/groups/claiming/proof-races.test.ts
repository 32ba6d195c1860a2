import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { deriveLinkSecret, getViewer, updateProfile, type UserActor } from '../../../src/accounts/index.js';
import { claimInvitation, createGroup, inviteToGroup } from '../../../src/groups/index.js';
import { HOME, openPasswordsWorld, PASSWORD, type PasswordsWorld } from '../../accounts/passwords/passwords-fixture.js';
import { countLockWaits, isLockAwaited } from '../../support/database/lock-waits.js';
import { waitUntil } from '../../support/wait-until.js';

const ROUNDS = 25;
const VICTIM = 'victim@example.org';

let world: PasswordsWorld;
let host: UserActor;
let groupId: string;

beforeAll(async () => {
  world = await openPasswordsWorld();
  host = await world.join('host', 'host@example.org');
  ({
    group: { id: groupId },
  } = await createGroup(world.groups, host, { name: 'Supper club' }));
});
afterAll(() => world.remove());

/** Someone whose address is not proven, with an invitation that was mailed to it. */
async function invited(username: string): Promise<{ guest: UserActor; address: string; secret: string }> {
  const address = `${username}@example.org`;
  const guest = await world.join(username);
  await giveAddress(guest, address);
  const { results } = await inviteToGroup(world.groups, host, { groupId, invitees: [{ email: address }] });
  const id = results[0]?.invitation?.id ?? '';
  return { guest, address, secret: deriveLinkSecret(world.groups.serverSecret, 'invitation', { id, version: 1 }) };
}

async function giveAddress(actor: UserActor, email: string | null): Promise<void> {
  await updateProfile(world.accounts, actor, { email, currentPassword: PASSWORD }, HOME);
}

async function exchangeAddress(actor: UserActor): Promise<void> {
  await giveAddress(actor, null);
  await giveAddress(actor, VICTIM);
}

/** Stalls every transaction that adds a member, after its reads and before its writes, until the work is done. */
async function whileClaimsStall(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: world.databaseUrl });
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
      claim = claimInvitation(world.groups, guest, { secret, status: 'ACCEPTED' });
      await waitUntil('the claim stalls', () => isLockAwaited(world.database));
      const state = { isOver: false };
      exchange = exchangeAddress(guest).finally(() => {
        state.isOver = true;
      });
      const waits = async (): Promise<boolean> => state.isOver || (await countLockWaits(world.database)) > 1;
      await waitUntil('the addresses are exchanged, or wait for the claim', waits);
    });
    await Promise.all([claim, exchange]);
    expect(await getViewer(world.accounts, guest)).toMatchObject({ email: VICTIM, emailVerified: false });
  });

  it('verifies nothing else and throws no other error when the address changes concurrently', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { guest, secret } = await invited(`racing-${round}`);
      await Promise.all([claimInvitation(world.groups, guest, { secret, status: 'ACCEPTED' }), exchangeAddress(guest)]);
      expect(await getViewer(world.accounts, guest)).toMatchObject({ email: VICTIM, emailVerified: false });
    }
  }, 60_000);
});
