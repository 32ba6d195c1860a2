import { z } from 'zod';
import type { Settings } from '../../../config/index.js';
import { findRunningServer } from '../../../database/embedded/embedded-server.js';
import { sendDemoRequest } from '../runner/send-demo-request.js';

const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];
/** The error of Convene for a request without a token, by which it is recognised. */
const CONVENE_ERROR = z.object({ reason: z.literal('TOKEN_MISSING') });

/**
 * Finds the service that runs with these settings.
 *
 * @returns its base URL; null when no service runs, or when its embedded database cannot be reached
 */
export async function findRunningService(settings: Settings): Promise<string | null> {
  if (settings.DATABASE_URL === null && (await findRunningServer(settings.DATA_DIR)) === null) return null;
  const url = addressOf(settings);
  return (await isConvene(url)) ? url : null;
}

function addressOf({ HOST: host, PORT: port }: Settings): string {
  const name = WILDCARD_ADDRESSES.includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function isConvene(url: string): Promise<boolean> {
  try {
    const { body } = await sendDemoRequest(url, { method: 'GET', path: '/api/auth/me' });
    return CONVENE_ERROR.safeParse(body).success;
  } catch {
    return false;
  }
}
