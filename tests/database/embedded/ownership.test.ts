import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isOwned, ownershipSocket, takeOwnership } from '../../../src/database/embedded/ownership.js';
import { makeTemporaryFolder, removeFolder } from '../../support/temporary-folder.js';

/** The socket's name comes in base64, since an argument cannot hold the NUL of a nameless one. */
const LISTEN_AND_STAY =
  "require('net').createServer().listen(Buffer.from(process.argv[1], 'base64').toString(), () => console.log('listening'))";

/** Linux has sockets without a file; elsewhere they are files. Both kinds work on Linux, so both are tested there. */
describe.each(['a name', 'a file'])('ownership held through %s', (kind) => {
  let folder: string;
  let socket: string;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    socket = kind === 'a name' ? ownershipSocket(folder) : join(folder, 'owner.sock');
  });

  afterAll(() => removeFolder(folder));

  it('goes to one at a time, and to the next once it is released', async () => {
    expect(await isOwned(socket)).toBe(false);
    const first = await takeOwnership(socket);
    expect(first).not.toBeNull();
    expect(await isOwned(socket)).toBe(true);
    expect(await takeOwnership(socket)).toBeNull();

    await first?.release();
    const second = await takeOwnership(socket);
    expect(second).not.toBeNull();
    await second?.release();
  });

  it('ends with the process that has it, even when that is killed', async () => {
    const owner = spawn(process.execPath, ['-e', LISTEN_AND_STAY, Buffer.from(socket).toString('base64')], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(owner.stdout, 'data');
    expect(await takeOwnership(socket)).toBeNull();

    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const next = await takeOwnership(socket);
    expect(next).not.toBeNull();
    await next?.release();
  });
});
