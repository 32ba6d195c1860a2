import { developmentSecret, type Settings } from '../config/index.js';
import { prepareDataFolder } from '../database/embedded/files/data-folder.js';

/** Returns the configured secrets, or the one in the data folder, which is created at the first start. */
export async function findServerSecrets({ SERVER_SECRET, DATA_DIR }: Settings): Promise<readonly Buffer[]> {
  if (SERVER_SECRET !== null) return SERVER_SECRET;
  await prepareDataFolder(DATA_DIR);
  return [await developmentSecret(DATA_DIR)];
}
