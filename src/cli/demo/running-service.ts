import { z } from 'zod';
import type { Settings } from '../../config/index.js';
import { findRunningServer } from '../../database/embedded/embedded-server.js';
import { sendDemoRequest } from './send-demo-request.js';

const EVERY_ADDRESS = ['0.0.0.0', '::'];
/** How Convene, and hardly anything else, answers whoever does not say who they are. */
const CONVENE = z.object({ reason: z.literal('TOKEN_MISSING') });

/** The address of a Convene that runs by these settings; null when there is none, or when its database is out of reach from here. */
export async function findRunningService(settings: Settings): Promise<string | null> {
  if (settings.DATABASE_URL === null && (await findRunningServer(settings.DATA_DIR)) === null) return null;
  const url = addressOf(settings);
  return (await isConvene(url)) ? url : null;
}

function addressOf({ HOST: host, PORT: port }: Settings): string {
  const name = EVERY_ADDRESS.includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function isConvene(url: string): Promise<boolean> {
  try {
    const { body } = await sendDemoRequest(url, { method: 'GET', path: '/api/auth/me' });
    return CONVENE.safeParse(body).success;
  } catch {
    return false;
  }
}
