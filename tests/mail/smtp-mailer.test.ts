import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import type { SMTPServerOptions } from 'smtp-server';
import type { Mailer } from '../../src/accounts/ports/mailer.js';
import { PermanentError } from '../../src/errors/index.js';
import { createSmtpMailer, type SmtpMailerOptions } from '../../src/mail/smtp-mailer.js';
import { reply, startMailServer, type MailServer } from './mail-server.js';
import { FROM, sampleMail } from './sample-mail.js';

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function startServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  stops.push(() => server.stop());
  return server;
}

function mailerOf(smtpUrl: string, options: Partial<SmtpMailerOptions> = {}): Mailer {
  return createSmtpMailer({ smtpUrl, from: FROM, caCertificates: [], ...options });
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: unknown) => error as Error,
  );
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
    const { url, received } = await startServer();
    await mailerOf(url).send(sampleMail());
    expect(received).toMatchObject([{ sender: 'no-reply@convene.example', recipients: ['ada@example.org'] }]);
    expect(await simpleParser(received[0]?.raw ?? '')).toMatchObject({
      subject: sampleMail().subject,
      text: sampleMail().text,
    });
  });

  it('opens at most 16 connections at a time, and delivers all mails', async () => {
    let [open, most] = [0, 0];
    const { url, received } = await startServer({
      onConnect: (_session, accept) => {
        open += 1;
        most = Math.max(most, open);
        setTimeout(accept, 20);
      },
      onClose: () => {
        open -= 1;
      },
    });
    const mailer = mailerOf(url);
    await Promise.all(Array.from({ length: 40 }, () => mailer.send(sampleMail())));
    expect([received.length, most]).toEqual([40, 16]);
  });

  it('fails within its limit when other mails take all connections', async () => {
    const mailer = mailerOf(await startSilentServer(), { sendTimeoutMs: 2_000 });
    const before = performance.now();
    const failures = await Promise.all(Array.from({ length: 20 }, () => failureOf(mailer.send(sampleMail()))));
    expect(performance.now() - before).toBeLessThan(3_500);
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
  });

  it('delivers a repeated mail with the same Message-ID', async () => {
    const { url, received } = await startServer();
    const mailer = mailerOf(url);
    await mailer.send(sampleMail());
    await mailer.send(sampleMail());
    const ids = await Promise.all(received.map(async ({ raw }) => (await simpleParser(raw)).messageId));
    expect(ids).toEqual(Array(2).fill(`<${sampleMail().id}@convene.example>`));
  });

  it('authenticates with user and password of the URL', async () => {
    const logins: unknown[] = [];
    const { url, received } = await startServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        logins.push([username, password]);
        done(null, { user: username });
      },
    });
    await mailerOf(url.replace('//', '//convene:p%40ss@')).send(sampleMail());
    expect(logins).toEqual([['convene', 'p@ss']]);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['RCPT TO', 550, { onRcptTo: (_, __, done) => done(reply(550, '5.1.1 No mailbox here')) }],
    ['MAIL FROM', 501, { onMailFrom: (_, __, done) => done(reply(501, '5.1.7 No such sender')) }],
    ['DATA', 554, { onData: (stream, _, done) => stream.resume().on('end', () => done(reply(554, '5.7.1 Spam'))) }],
  ] satisfies [string, number, SMTPServerOptions][])(
    'rejects permanently with the reply of the server when it refuses %s with %i',
    async (command, code, options) => {
      const { url } = await startServer(options);
      const failure = await failureOf(mailerOf(url).send(sampleMail()));
      expect(failure).toBeInstanceOf(PermanentError);
      expect(failure.message).toMatch(new RegExp(`: ${code} 5\\.\\d\\.\\d .* \\(in reply to ${command}\\)\\.$`));
      expect(failure).not.toHaveProperty('cause');
    },
  );

  it.each([
    [
      'a mailbox that is busy',
      { onRcptTo: (_, __, done) => done(reply(450, '4.2.1 Try again')) },
      '450 4.2.1 Try again',
    ],
    ['missing authentication', { onMailFrom: (_, __, done) => done(reply(530, '5.7.0 Log in')) }, '530 5.7.0 Log in'],
    ['a refused connection', { onConnect: (_, done) => done(reply(554, 'Not now')) }, '554 Not now'],
  ] satisfies [string, SMTPServerOptions, string][])(
    'rejects with the reply, and not permanently, after %s',
    async (_, options, text) => {
      const { url } = await startServer(options);
      const failure = await failureOf(mailerOf(url).send(sampleMail()));
      expect(failure).not.toBeInstanceOf(PermanentError);
      expect(failure.message).toContain(text);
    },
  );

  it('shows neither the recipient nor the credentials that a server repeats', async () => {
    const password = 'hunter2';
    const encoded = Buffer.from(`\0convene\0${password}`).toString('base64');
    const refusing = await startServer({
      onRcptTo: (_, __, done) => done(reply(550, 'No ADA-Lovelace@example.org, no mailbox "ada-lovelace" here')),
    });
    const { message } = await failureOf(mailerOf(refusing.url).send(sampleMail({ to: 'ada-lovelace@example.org' })));
    expect(message).toContain('550');
    expect(message).not.toMatch(/lovelace/i);
    const locked = await startServer({
      authOptional: false,
      onAuth: (_, __, done) => done(reply(535, `No ${password}, no ${encoded}`)),
    });
    const failure = await failureOf(mailerOf(locked.url.replace('//', `//convene:${password}@`)).send(sampleMail()));
    expect(failure).not.toBeInstanceOf(PermanentError);
    expect(failure.message).toContain('535 No …, no … (in reply to AUTH PLAIN)');
  });

  it('closes the connection to a server that accepts the mail too late', async () => {
    const closed: (() => void)[] = [];
    const isClosed = new Promise<void>((resolve) => closed.push(resolve));
    const { url } = await startServer({
      onData: (stream) => void stream.resume(),
      onClose: () => {
        closed.forEach((resolve) => {
          resolve();
        });
      },
    });
    await expect(mailerOf(url, { sendTimeoutMs: 200 }).send(sampleMail())).rejects.toThrow('EABORT');
    await isClosed;
  });

  it('times out when the server never responds', async () => {
    const smtpUrl = await startSilentServer();
    await expect(mailerOf(smtpUrl, { sendTimeoutMs: 200 }).send(sampleMail())).rejects.toThrow('EABORT');
  });

  it('sends nothing when a header has a line break', async () => {
    const { url, received } = await startServer();
    const mailer = mailerOf(url);
    await expect(mailer.send(sampleMail({ to: 'ada@example.org\r\nRCPT TO:<mallory@example.org>' }))).rejects.toThrow(
      'recipient',
    );
    await expect(mailer.send(sampleMail({ subject: 'Hello\r\nBcc: mallory@example.org' }))).rejects.toThrow('subject');
    expect(received).toEqual([]);
  });

  it('resolves check() when the server responds, and names the reason when it does not', async () => {
    const { url } = await startServer();
    await expect(mailerOf(url).check()).resolves.toBeNull();
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await expect(mailerOf(url).check()).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects check() without the password when the server rejects it', async () => {
    const { url } = await startServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    const failure: unknown = await createSmtpMailer({
      smtpUrl: url.replace('//', '//convene:hunter2@'),
      from: FROM,
      caCertificates: [],
    })
      .check()
      .catch(String);
    expect(failure).toContain('535 no (in reply to AUTH PLAIN)');
    expect(failure).not.toContain('hunter2');
  });
});
