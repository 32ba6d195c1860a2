import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** JSON lines for machines; coloured ones for a person who watches a development service in a terminal. */
export function makeLog(level: string, isDevelopment: boolean): Logger {
  if (!isDevelopment || !process.stdout.isTTY) return pino({ level });
  return pino({ level }, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' }));
}
