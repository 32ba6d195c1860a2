import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../accounts/ports/mailer.js';
import { toMimeMessage } from './mime-message.js';

export interface MailLogger {
  info(fields: Record<string, unknown>, message: string): void;
}

export interface FileMailerOptions {
  readonly from: string;
  readonly outboxDir: string;
  readonly log: MailLogger;
  /** Whether the log may have the links of the mails, whose secrets let in whoever reads them. */
  readonly logsLinks: boolean;
}

/**
 * The mailer of development: every mail becomes a complete message (RFC 5322) in `<outboxDir>/<id>.eml`,
 * which any mail program opens. A repeat replaces the file.
 *
 * One line is logged with the mail's first link, to be clicked, where that is wanted: it carries its secret, which is
 * what a developer needs and nobody else should find in a log.
 */
export function createFileMailer({ from, outboxDir, log, logsLinks }: FileMailerOptions): Mailer {
  const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message } = await builder.sendMail(toMimeMessage(mail, from));
      const file = join(outboxDir, `${mail.id}.eml`);
      await ensureWritable(outboxDir);
      await writeAtomically(file, message);
      log.info(
        { mailId: mail.id, file, ...(logsLinks ? { link: firstLinkOf(mail) } : {}) },
        'mail written to the outbox',
      );
    },
    check: () => ensureWritable(outboxDir),
  };
}

async function ensureWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.W_OK | constants.X_OK);
}

/** The temporary file is beside the target, since a rename is only atomic within one file system. */
async function writeAtomically(file: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function firstLinkOf(mail: Mail): string | undefined {
  return /https?:\/\/\S+/.exec(mail.text)?.[0];
}
