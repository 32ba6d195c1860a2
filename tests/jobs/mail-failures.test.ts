import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import { HANDLER_TIMEOUT_MS } from '../../src/jobs/tasks/run-task.js';
import { MAX_SEND_MS } from '../../src/mail/smtp-mailer.js';
import { reply, startMailServer, type MailServer } from '../mail/mail-server.js';
import { createCapturingLogger } from '../support/capturing-logger.js';
import { TestClient } from '../support/http/test-client.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { waitUntil } from '../support/wait-until.js';

interface Task {
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

describe('a mail that the server does not take', () => {
  const { log, lines } = createCapturingLogger();
  let answer: SMTPServerOptions['onRcptTo'];
  let mailServer: MailServer;
  let service: TestService;

  beforeAll(async () => {
    mailServer = await startMailServer({ onRcptTo: (address, session, done) => answer?.(address, session, done) });
    service = await startTestService({ hasher: FAKE_HASHER, log, settings: { SMTP_URL: mailServer.url } });
  });
  afterEach(() => {
    lines.length = 0;
  });
  afterAll(async () => {
    await service.remove();
    await mailServer.stop();
  });

  /** Registers a user with an address, and waits for the first attempt at the verification mail. */
  async function firstAttempt(username: string): Promise<Task | undefined> {
    const account = { username, password: 'seven quiet lanterns', email: `${username}@example.org` };
    const { body } = await new TestClient(service.url).post('/api/auth/register', account);
    const { user_id: userId } = body as { user_id: string };
    const read = async (): Promise<Task | undefined> => {
      const { rows } = await service.database.pool.query<Task>(
        `select status, attempts, last_error from outbox_task where name = 'verify_email' and registered_user_id = $1`,
        [userId],
      );
      return rows[0];
    };
    await waitUntil('the first attempt has ended', async () => (await read())?.last_error != null);
    return read();
  }

  it('fails its task after the first permanent reply, which is stored and logged', async () => {
    answer = ({ address }, _, done) => done(reply(550, `5.1.1 No mailbox of ${address}`));
    const task = await firstAttempt('ada-lovelace');
    expect(task).toMatchObject({ status: 'FAILED', attempts: 1 });
    expect(task?.last_error).toContain('550 5.1.1 No mailbox of … (in reply to RCPT TO)');
    const line = lines.find(({ msg }) => msg.startsWith('Task failed permanently'));
    expect(line).toMatchObject({ level: 50, task: 'verify_email', attempts: 1, reason: task?.last_error });
    expect(JSON.stringify(lines)).not.toMatch(/lovelace/i);
  });

  it('is retried after a temporary reply, which is stored and logged', async () => {
    answer = (_, __, done) => done(reply(451, '4.7.1 Greylisted'));
    const task = await firstAttempt('grace-hopper');
    expect(task).toMatchObject({ status: 'QUEUED', attempts: 1 });
    expect(task?.last_error).toContain('451 4.7.1 Greylisted (in reply to RCPT TO)');
    expect(lines.find(({ msg }) => msg === 'Task attempt failed; the task is retried')).toMatchObject({
      reason: task?.last_error,
    });
  });
});

describe('MAX_SEND_MS', () => {
  it('leaves a task time to read its mail before it is sent', () => {
    expect(MAX_SEND_MS).toBeLessThanOrEqual(HANDLER_TIMEOUT_MS - 10_000);
  });
});
