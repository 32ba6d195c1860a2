/**
 * Registers five users concurrently, and is killed between the first commit and its dispatch. Runs as a separate
 * process.
 */
import { loadConfig } from '../../src/config/index.js';
import { openCore } from '../../src/open-core.js';
import { register } from '../../src/person-lifecycle/index.js';

const core = await openCore(loadConfig());
const accounts = { ...core.accounts, dispatchTasks: () => process.kill(process.pid, 'SIGKILL') };
const names = ['ada', 'grace', 'joan', 'mary', 'radia'];
await Promise.all(
  names.map((username) =>
    register(
      accounts,
      {
        username,
        password: 'a long enough phrase',
        email: `${username}@mail.example`,
        displayName: null,
        invitation: null,
      },
      { address: '127.0.0.1', userAgent: null },
    ),
  ),
);
