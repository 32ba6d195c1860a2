// A service in small: owns the embedded server of the folder it is given, and stops it when told to by a signal.
import '../../support/typescript/register.mjs';

const { createDatabaseClient } = await import('../../../src/database/client/database-client.ts');
const { startEmbeddedServer } = await import('../../../src/database/embedded/embedded-server.ts');

const server = await startEmbeddedServer({ dataDir: process.argv[2], durable: false, log: console });
const stayAlive = setInterval(() => undefined, 60_000);

process.once('SIGINT', async () => {
  const client = createDatabaseClient({ url: server.url, purpose: 'test' });
  await client.connect();
  await client.query('create table finished_after_ctrl_c ()');
  await client.end();
  await server.stop();
  clearInterval(stayAlive);
});
process.once('SIGTERM', () => process.exit(0));

console.log('ready');
