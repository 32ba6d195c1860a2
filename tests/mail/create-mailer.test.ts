import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createMailer } from '../../src/mail/index.js';
import { FROM, sampleMail } from './sample-mail.js';

const quiet = { caCertificates: [], log: { info: () => undefined }, logLinks: false };

describe('createMailer', () => {
  it('writes to files without smtpUrl', async () => {
    const outboxDir = await mkdtemp(join(tmpdir(), 'convene-outbox-'));
    await createMailer({ smtpUrl: undefined, from: FROM, outboxDir, ...quiet }).send(sampleMail());
    expect(await readdir(outboxDir)).toHaveLength(1);
    await rm(outboxDir, { recursive: true });
  });

  it('sends to the mail server of smtpUrl', async () => {
    const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: FROM, outboxDir: '/nonexistent', ...quiet });
    await expect(mailer.check()).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects a sender that is not one address', () => {
    expect(() =>
      createMailer({ smtpUrl: undefined, from: 'a@b.example, c@d.example', outboxDir: '/nonexistent', ...quiet }),
    ).toThrow('sender');
  });
});
