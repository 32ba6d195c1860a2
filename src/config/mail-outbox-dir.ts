import { join } from 'node:path';
import type { Settings } from './settings.js';

/** Where mails are written while there is no mail server. */
export function mailOutboxDir({ DATA_DIR: dataDir }: Pick<Settings, 'DATA_DIR'>): string {
  return join(dataDir, 'outbox');
}
