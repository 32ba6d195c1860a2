import type { Mail, Mailer } from '../../src/accounts/ports/mailer.js';

/** Records the mails instead of sending them. */
export class RecordingMailer implements Mailer {
  readonly sent: Mail[] = [];

  send(mail: Mail): Promise<void> {
    this.sent.push(mail);
    return Promise.resolve();
  }

  check(): Promise<string | null> {
    return Promise.resolve(null);
  }

  /** The secret in the link of the last mail to an address. */
  secretTo(address: string): string {
    const mail = this.sent.findLast(({ to }) => to === address);
    const secret = /#secret=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    if (secret === undefined) throw new Error(`No mail with a link was sent to ${address}`);
    return secret;
  }
}
