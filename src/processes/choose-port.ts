import type { Settings } from '../config/index.js';
import { findFreePort } from '../database/embedded/system/free-port.js';

/** Returns the port of the settings, or a free one for port 0. */
export async function choosePort({ PORT }: Settings): Promise<number> {
  return PORT === 0 ? findFreePort() : PORT;
}
