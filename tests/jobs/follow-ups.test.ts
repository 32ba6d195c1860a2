import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Mail, ServerSecret } from '../../src/accounts/index.js';
import { type FollowUp, followUps, registrationFollowUps } from '../../src/jobs/index.js';
import { type JobsWorld, openJobsWorld } from './jobs-world.js';

let world: JobsWorld;
let all: readonly FollowUp[];
const mails: Mail[] = [];

beforeAll(async () => {
  world = await openJobsWorld({ backend: 'postgres', mongodbUri: null });
  all = followUps({
    database: world.database,
    clock: world.clock,
    mailer: { send: (mail) => { mails.push(mail); return Promise.resolve(); }, check: () => Promise.resolve() },
    serverSecret: new ServerSecret([Buffer.alloc(32, 1)]),
    frontendUrl: 'https://convene.example',
  });
});
afterAll(() => world.close());

describe('the follow-ups of a registration', () => {
  it('are these, in this order', () => {
    expect(registrationFollowUps(all)).toEqual(['verify_email', 'claim_invitation', 'announce_registration']);
  });

  it('skip the mail for an account without an address, and the claim without an invitation', async () => {
    const jobs = await world.start(all);
    const userId = await world.register();
    const ids: string[] = [];
    for (const name of registrationFollowUps(all)) ids.push(await world.enqueue({ name, payload: { userId }, registeredUserId: userId }));

    jobs.wake(ids);

    const [verify = '', claim = '', announce = ''] = ids;
    await Promise.all([world.ends(verify, 'SKIPPED'), world.ends(claim, 'SKIPPED'), world.ends(announce, 'DONE')]);
    expect(mails).toEqual([]);
    const { rows } = await world.database.pool.query('select id, kind, user_id as "userId" from account_event');
    expect(rows).toEqual([{ id: announce, kind: 'user.registered', userId }]);
  });
});
