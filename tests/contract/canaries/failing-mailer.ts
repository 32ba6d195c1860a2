import type { Mail } from '../../../src/accounts/ports/mailer.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import type { IssuedSecrets } from './issued-secrets.js';

/** The mailer rejects addresses with this prefix. */
export const UNREACHABLE = 'unreachable-';

/** Records the mails, and returns errors that contain too much when it rejects one. */
export class FailingMailer extends RecordingMailer {
  readonly #issued: IssuedSecrets;

  constructor(issued: IssuedSecrets) {
    super();
    this.#issued = issued;
  }

  override send(mail: Mail): Promise<void> {
    const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '';
    const secret = /#secret=([\w-]+)/.exec(link)?.[1];
    if (secret !== undefined) this.#issued.add('the secret of a link', secret);
    if (!mail.to.startsWith(UNREACHABLE)) return super.send(mail);
    return Promise.reject(
      Object.assign(
        new Error(
          `550 5.1.1 <${mail.to}>: refused by mx.example.org\r\n` +
            `{"event":"login"} for its link ${link} (${secret ?? ''})`,
        ),
        { response: mail.text, envelope: { to: [mail.to] }, cause: new Error(`RCPT TO:<${mail.to}> ${link}`) },
      ),
    );
  }
}
