import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createSmtpMailer } from '../../src/mail/smtp-mailer.js';
import { FROM, sampleMail } from './sample-mail.js';

interface Received {
  readonly sender: string;
  readonly recipients: string[];
  readonly raw: string;
}

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** A real SMTP server on a free port of loopback. */
async function startMailServer(options: SMTPServerOptions = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onData(stream, { envelope }, done) {
      void text(stream).then((raw) => {
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ sender, recipients: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  stops.push(() => new Promise((closed) => server.close(() => closed())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received };
}

/** Accepts connections and never says a word. */
async function startSilentServer(): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((closed) => server.close(closed));
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('createSmtpMailer', () => {
  it('delivers a mail to its recipient', async () => {
    const { url, received } = await startMailServer();
    await createSmtpMailer({ smtpUrl: url, from: FROM }).send(sampleMail());
    expect(received).toMatchObject([{ sender: 'no-reply@convene.example', recipients: ['ada@example.org'] }]);
    expect(await simpleParser(received[0]?.raw ?? '')).toMatchObject({
      subject: sampleMail().subject,
      text: sampleMail().text,
    });
  });

  it('delivers a repeated mail with the same Message-ID', async () => {
    const { url, received } = await startMailServer();
    const mailer = createSmtpMailer({ smtpUrl: url, from: FROM });
    await mailer.send(sampleMail());
    await mailer.send(sampleMail());
    const ids = await Promise.all(received.map(async ({ raw }) => (await simpleParser(raw)).messageId));
    expect(ids).toEqual(Array(2).fill(`<${sampleMail().id}@convene.example>`));
  });

  it('authenticates with user and password of the URL', async () => {
    const logins: unknown[] = [];
    const { url, received } = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        logins.push([username, password]);
        done(null, { user: username });
      },
    });
    await createSmtpMailer({ smtpUrl: url.replace('//', '//convene:p%40ss@'), from: FROM }).send(sampleMail());
    expect(logins).toEqual([['convene', 'p@ss']]);
    expect(received).toHaveLength(1);
  });

  it('rejects with the error codes and without the recipient when the server rejects a mail', async () => {
    const refusal = Object.assign(new Error('no mailbox of ada@example.org here'), { responseCode: 550 });
    const { url } = await startMailServer({ onRcptTo: (_address, _session, done) => done(refusal) });
    const failure: unknown = await createSmtpMailer({ smtpUrl: url, from: FROM })
      .send(sampleMail())
      .catch((error: unknown) => error);
    expect(failure).toEqual(new Error('The mail server did not take the mail (EENVELOPE, RCPT TO, 550).'));
    expect(failure).not.toHaveProperty('cause');
  });

  it('times out when the server never responds', async () => {
    const smtpUrl = await startSilentServer();
    await expect(createSmtpMailer({ smtpUrl, from: FROM, sendTimeoutMs: 200 }).send(sampleMail())).rejects.toThrow(
      'did not take the mail (EABORT',
    );
  });

  it('sends nothing when a header has a line break', async () => {
    const { url, received } = await startMailServer();
    const mailer = createSmtpMailer({ smtpUrl: url, from: FROM });
    await expect(mailer.send(sampleMail({ to: 'ada@example.org\r\nRCPT TO:<mallory@example.org>' }))).rejects.toThrow(
      'recipient',
    );
    await expect(mailer.send(sampleMail({ subject: 'Hello\r\nBcc: mallory@example.org' }))).rejects.toThrow('subject');
    expect(received).toEqual([]);
  });

  it('resolves check() when the server responds, and names the reason when it does not', async () => {
    const { url } = await startMailServer();
    await expect(createSmtpMailer({ smtpUrl: url, from: FROM }).check()).resolves.toBeUndefined();
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await expect(createSmtpMailer({ smtpUrl: url, from: FROM }).check()).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects check() without the password when the server rejects it', async () => {
    const { url } = await startMailServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    const failure: unknown = await createSmtpMailer({ smtpUrl: url.replace('//', '//convene:hunter2@'), from: FROM })
      .check()
      .catch(String);
    expect(failure).toContain('Invalid login');
    expect(failure).not.toContain('hunter2');
  });
});
