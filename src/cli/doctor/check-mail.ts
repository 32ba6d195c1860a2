import { mailOutboxDir, type Settings } from '../../config/index.js';
import { createMailer } from '../../mail/index.js';
import type { CheckResult } from './check-result.js';

/** Checks that the mail server or the outbox folder accepts mail. Sends none. */
export async function checkMail(settings: Settings): Promise<CheckResult> {
  const subject = 'Mail';
  const folder = mailOutboxDir(settings);
  const log = { info: () => undefined };
  let weakness: string | null;
  try {
    weakness = await createMailer({
      smtpUrl: settings.SMTP_URL ?? undefined,
      caCertificates: settings.SMTP_CA_FILE,
      from: settings.MAIL_FROM,
      outboxDir: folder,
      log,
      logLinks: false,
    }).check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { subject, state: 'error', text: `Mail cannot be sent (${reason}): see SMTP_URL and MAIL_FROM.` };
  }
  if (weakness !== null) return { subject, state: 'warning', text: `the server of SMTP_URL takes mail; ${weakness}` };
  if (settings.SMTP_URL !== null) return { subject, state: 'ok', text: 'the server of SMTP_URL takes mail' };
  return {
    subject,
    state: settings.NODE_ENV === 'production' ? 'warning' : 'ok',
    text: `written to ${folder}; SMTP_URL would have it sent`,
  };
}
