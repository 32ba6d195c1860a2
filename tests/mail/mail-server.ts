import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

interface ReceivedMail {
  readonly sender: string;
  readonly recipients: string[];
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  stop(): Promise<void>;
}

/** Starts a real SMTP server on a free port of loopback. It offers no STARTTLS and accepts every mail by default. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
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
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${String(port)}`,
    received,
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** An error that the server sends as this reply. */
export function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
