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
  /** Whether to log the link of a mail, which contains a secret. */
  readonly logLinks: boolean;
}

/**
 * Creates the mailer of development. It writes each mail as a complete message (RFC 5322) to `<outboxDir>/<id>.eml`,
 * which mail programs can open. A repeated mail replaces the file. One line is logged per mail, with its first link
 * when `logLinks` is set.
 */
export function createFileMailer({ from, outboxDir, log, logLinks: logsLinks }: FileMailerOptions): Mailer {
  const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message } = await builder.sendMail(toMimeMessage(mail, from));
      const file = join(outboxDir, `${mail.id}.eml`);
      await ensureWritable(outboxDir);
      await writeAtomically(file, message);
      log.info(
        { mailId: mail.id, file, ...(logsLinks ? { link: firstLinkOf(mail) } : {}) },
        'Mail written to the outbox',
      );
    },
    async check() {
      await ensureWritable(outboxDir);
      return null;
    },
  };
}

async function ensureWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.W_OK | constants.X_OK);
}

/** The temporary file is in the same folder, since a rename is atomic only within one file system. */
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
