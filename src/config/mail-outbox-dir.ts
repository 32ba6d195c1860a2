import { join } from 'node:path';
import type { Settings } from './settings.js';

/** Folder of the file mailer, which is used without `SMTP_URL`. */
export function mailOutboxDir({ DATA_DIR: dataDir }: Pick<Settings, 'DATA_DIR'>): string {
  return join(dataDir, 'outbox');
}
