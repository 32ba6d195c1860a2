import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Jobs } from '../../src/jobs/index.js';
import {
  countEffects,
  createJobsFixture,
  enqueueTasks,
  transactionalHandler,
  type JobsFixture,
} from '../jobs/jobs-fixture.js';
import { startFaultProxy, type FaultProxy } from '../support/database/fault-proxy.js';
import { describeWithFerretDb, describeWithMongo, dropDatabase } from '../support/ferretdb/describe-with-mongo.js';
import { waitUntil } from '../support/wait-until.js';

/** Longer than the relay leaves a due task to its dispatch. */
const OVERDUE_MS = 5_000;
const REPORT_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 10_000;

let fixture: JobsFixture;
let jobs: Jobs;

function createFixture(mongodbUri: string): Promise<JobsFixture> {
  return createJobsFixture({ backend: 'mongo', mongodbUri });
}

function waitForHealth(isHealthy: boolean): Promise<void> {
  return waitUntil(
    `the health is ${isHealthy}`,
    () =>
      jobs.checkHealth().then(
        () => isHealthy,
        () => !isHealthy,
      ),
    REPORT_TIMEOUT_MS,
  );
}

/** The clock does not advance, so the relay runs no task: Agenda has dispatched it. */
async function expectDispatch(): Promise<void> {
  await waitForHealth(true);
  const id = await fixture.enqueue();
  jobs.dispatch([id]);
  await fixture.waitForStatus(id, 'DONE');
}

/** Without Agenda, the relay runs the tasks. */
async function expectRelay(): Promise<void> {
  const ids = await enqueueTasks(fixture, 3);
  jobs.dispatch(ids);
  fixture.clock.advance(OVERDUE_MS);
  await Promise.all(ids.map((id) => fixture.waitForStatus(id, 'DONE')));
  expect(await countEffects(fixture, ids)).toEqual([1, 1, 1]);
}

async function stopInTime(): Promise<void> {
  const startedAtMs = performance.now();
  await jobs.stop();
  expect(performance.now() - startedAtMs).toBeLessThan(STOP_TIMEOUT_MS);
}

describeWithFerretDb('jobs whose MongoDB server is killed', (server) => {
  beforeEach(async () => {
    fixture = await createFixture(`${server().uri}convene`);
  });
  afterEach(async () => {
    await fixture.close();
    await server().kill();
    await server().restart();
  });

  it('start without the server, and use it when it has started', async () => {
    await server().kill();
    jobs = await fixture.start([transactionalHandler()]);
    await expect(jobs.checkHealth()).rejects.toThrow('Agenda cannot be reached: connect ECONNREFUSED');
    await expectRelay();

    await server().restart();

    await expectDispatch();
  });

  it('run every task once, and use the server again when it has restarted', async () => {
    jobs = await fixture.start([transactionalHandler()]);
    const ids = await enqueueTasks(fixture, 40);

    jobs.dispatch(ids.slice(0, 20));
    await server().kill();
    jobs.dispatch(ids.slice(20));
    await waitForHealth(false);
    await expectRelay();
    await server().restart();
    fixture.clock.advance(OVERDUE_MS);

    await Promise.all(ids.map((id) => fixture.waitForStatus(id, 'DONE')));
    expect(new Set(await countEffects(fixture, ids))).toEqual(new Set([1]));
    await expectDispatch();
  });

  it('run every task once when the server has lost its data', async () => {
    jobs = await fixture.start([transactionalHandler()]);
    const ids = await enqueueTasks(fixture, 40);

    jobs.dispatch(ids);
    await dropDatabase(`${server().uri}convene`);
    fixture.clock.advance(OVERDUE_MS);

    await Promise.all(ids.map((id) => fixture.waitForStatus(id, 'DONE')));
    expect(new Set(await countEffects(fixture, ids))).toEqual(new Set([1]));
    await expectDispatch();
  });

  it('stop while the server is down', async () => {
    jobs = await fixture.start([transactionalHandler()]);
    jobs.dispatch(await enqueueTasks(fixture, 1));
    await server().kill();
    await waitForHealth(false);

    await stopInTime();
  });
});

describeWithMongo('jobs whose MongoDB server is slow or silent', (mongodbUri) => {
  let proxy: FaultProxy;
  beforeEach(async () => {
    const uri = new URL(mongodbUri());
    uri.searchParams.set('directConnection', 'true');
    proxy = await startFaultProxy(uri.href);
    fixture = await createFixture(proxy.url);
    jobs = await fixture.start([transactionalHandler()]);
    await expectDispatch();
  });
  afterEach(async () => {
    proxy.restore();
    await fixture.close();
    await proxy.stop();
  });

  it('run every task once when each message takes 200 ms', async () => {
    proxy.slowDown(200);
    const ids = await enqueueTasks(fixture, 40);

    for (const id of ids) jobs.dispatch([id]);
    await Promise.all(ids.map((id) => fixture.waitForStatus(id, 'DONE')));

    expect(new Set(await countEffects(fixture, ids))).toEqual(new Set([1]));
    await jobs.checkHealth();
  });

  it('report a silent server, run tasks without it, and use it again when it answers', async () => {
    proxy.blackhole();
    await expectRelay();
    await waitForHealth(false);

    proxy.restore();

    await expectDispatch();
  });

  it('stop while the server is silent', async () => {
    proxy.blackhole();
    jobs.dispatch(await enqueueTasks(fixture, 1));

    await stopInTime();
  });

  it('stop while every new connection is closed', async () => {
    proxy.disconnect();
    await waitForHealth(false);

    await stopInTime();
  });
});
