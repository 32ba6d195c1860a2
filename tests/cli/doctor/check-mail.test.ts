import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import { checkMail } from '../../../src/cli/doctor/check-mail.js';
import type { CheckResult } from '../../../src/cli/doctor/check-result.js';
import { loadConfig } from '../../../src/config/index.js';
import { createMailCertificates, type MailCertificates } from '../../mail/mail-certificates.js';
import { startMailServer, type MailServer } from '../../mail/mail-server.js';
import { createTemporaryFolder, removeFolder } from '../../support/database/temporary-folder.js';
import { describeWith } from '../../support/processes/installed-programs.js';

describeWith(['openssl'], 'checkMail', () => {
  let folder: string;
  let certificates: MailCertificates;
  let server: MailServer | null = null;

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    certificates = await createMailCertificates(folder);
  });
  afterEach(() => server?.stop());
  afterAll(() => removeFolder(folder));

  /** Checks a server at a URL with its port, with the private authority. */
  async function check(origin: string, options: SMTPServerOptions): Promise<CheckResult> {
    server = await startMailServer(options);
    const SMTP_URL = `${origin}:${String(server.port)}`;
    return checkMail(loadConfig({ SMTP_URL, SMTP_CA_FILE: certificates.authorityFile }, '/nonexistent'));
  }

  it('accepts a server with a certificate of the private authority', async () => {
    const result = await check('smtp://localhost', { ...certificates.valid, disabledCommands: [] });
    expect(result).toEqual({ subject: 'Mail', state: 'ok', text: 'the server of SMTP_URL takes mail' });
  });

  it('names a certificate that has expired', async () => {
    const result = await check('smtps://localhost', { ...certificates.expired, secure: true });
    expect(result).toMatchObject({ state: 'error', text: expect.stringContaining('its certificate has expired') });
  });

  it('notes mails that travel unencrypted to another machine', async () => {
    // Linux connects to itself at 0.0.0.0, which is no loopback address.
    const result = await check('smtp://0.0.0.0', {});
    expect(result).toMatchObject({ state: 'warning', text: expect.stringContaining('travel unencrypted') });
  });
});
