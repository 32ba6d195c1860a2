import { mailOutboxDir, type Settings } from '../../config/index.js';
import { createMailer } from '../../mail/index.js';
import type { CheckResult } from './check-result.js';

/** Whether mail could be handed over now; none is sent. */
export async function checkMail(settings: Settings): Promise<CheckResult> {
  const about = 'Mail';
  const folder = mailOutboxDir(settings);
  const log = { info: () => undefined };
  try {
    await createMailer({
      smtpUrl: settings.SMTP_URL ?? undefined,
      from: settings.MAIL_FROM,
      outboxDir: folder,
      log,
      logsLinks: false,
    }).check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { about, state: 'wrong', text: `Mail cannot be sent (${reason}): see SMTP_URL and MAIL_FROM.` };
  }
  if (settings.SMTP_URL !== null) return { about, state: 'fine', text: 'the server of SMTP_URL takes mail' };
  return {
    about,
    state: settings.NODE_ENV === 'production' ? 'note' : 'fine',
    text: `written to ${folder}; SMTP_URL would have it sent`,
  };
}
