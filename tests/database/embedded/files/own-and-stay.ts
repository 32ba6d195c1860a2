// Owns the data folder that it is given, until it is killed.
import { acquireDataFolderLock } from '../../../../src/database/embedded/files/data-folder-lock.js';

const ownership = await acquireDataFolderLock(process.argv[2] ?? '');
console.log(ownership === null ? 'refused' : 'owned');
setInterval(() => undefined, 60_000);
