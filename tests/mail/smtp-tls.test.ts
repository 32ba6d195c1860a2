import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import type { Mailer } from '../../src/accounts/ports/mailer.js';
import { createSmtpMailer } from '../../src/mail/smtp-mailer.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { describeWith } from '../support/processes/installed-programs.js';
import { createMailCertificates, type MailCertificates } from './mail-certificates.js';
import { startMailServer, type MailServer } from './mail-server.js';
import { FROM, sampleMail } from './sample-mail.js';

type Kind = 'valid' | 'expired' | 'ofAnotherHost';
type Protocol = 'smtp' | 'smtps';

const acceptLogin: SMTPServerOptions['onAuth'] = ({ username }, _, done) => done(null, { user: username });

describeWith(['openssl'], 'createSmtpMailer with TLS', () => {
  let folder: string;
  let certificates: MailCertificates;
  const servers: MailServer[] = [];

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    certificates = await createMailCertificates(folder);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  afterAll(() => removeFolder(folder));

  async function serve(options: SMTPServerOptions): Promise<MailServer> {
    const server = await startMailServer(options);
    servers.push(server);
    return server;
  }

  /** A server with TLS from the start (`smtps`), or with STARTTLS. */
  const serveTls = (protocol: Protocol, kind: Kind) =>
    serve({ ...certificates[kind], secure: protocol === 'smtps', disabledCommands: [], onAuth: acceptLogin });

  function mailerAt(smtpUrl: string, caCertificates = [certificates.authority]): Mailer {
    return createSmtpMailer({ smtpUrl, from: FROM, caCertificates });
  }

  const messageOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => (error as Error).message,
    );

  it.each<Protocol>(['smtp', 'smtps'])(
    'delivers encrypted to a server of the private authority: %s',
    async (protocol) => {
      const { port, received } = await serveTls(protocol, 'valid');
      const mailer = mailerAt(`${protocol}://convene:hunter2@localhost:${String(port)}`);
      await mailer.send(sampleMail());
      expect(received).toHaveLength(1);
      await expect(mailer.check()).resolves.toBeNull();
    },
  );

  it.each<[Protocol, Kind, boolean, RegExp]>([
    ['smtp', 'valid', false, /not signed by a trusted authority; .* SMTP_CA_FILE/],
    ['smtps', 'valid', false, /not signed by a trusted authority; .* SMTP_CA_FILE/],
    ['smtp', 'expired', true, /its certificate has expired/],
    ['smtps', 'expired', true, /its certificate has expired/],
    ['smtp', 'ofAnotherHost', true, /its certificate does not name the host of SMTP_URL/],
    ['smtps', 'ofAnotherHost', true, /its certificate does not name the host of SMTP_URL/],
  ])('gives the same reason in send() and check(): %s, %s, trusted %s', async (protocol, kind, isTrusted, reason) => {
    const { port, received } = await serveTls(protocol, kind);
    const mailer = mailerAt(`${protocol}://localhost:${String(port)}`, isTrusted ? [certificates.authority] : []);
    const [sent, checked] = [await messageOf(mailer.send(sampleMail())), await messageOf(mailer.check())];
    expect(checked).toMatch(reason);
    expect(sent).toBe(`The mail server did not take the mail: ${checked}.`);
    expect(received).toEqual([]);
  });

  it('requires STARTTLS for a password that leaves the machine', async () => {
    const logins: unknown[] = [];
    const { port } = await serve({
      onAuth: ({ username }, _, done) => {
        logins.push(username);
        done(null, { user: username });
      },
    });
    // Linux connects to itself at 0.0.0.0, which is no loopback address.
    const url = `smtp://convene:hunter2@0.0.0.0:${String(port)}`;
    const message = await messageOf(mailerAt(url).send(sampleMail()));
    expect(message).toMatch(/it offers no STARTTLS, .* \?ignoreTLS=true/);
    expect(logins).toEqual([]);
    await mailerAt(`${url}?ignoreTLS=true`).send(sampleMail());
    expect(logins).toEqual(['convene']);
    await expect(mailerAt(`${url}?ignoreTLS=true`).check()).resolves.toContain('unencrypted');
  });
});
