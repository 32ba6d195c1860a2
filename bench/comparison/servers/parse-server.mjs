import bcrypt from 'bcryptjs';
import express from 'express';
import { ParseServer } from 'parse-server';

const { DATABASE_URL, PORT, PREPARE, PASSWORD } = process.env;
const serverURL = `http://127.0.0.1:${PORT}/parse`;
const server = new ParseServer({
  databaseURI: DATABASE_URL,
  appId: 'bench',
  masterKey: 'master',
  maintenanceKey: 'maintenance',
  readOnlyMasterKey: 'read-only',
  serverURL,
  mountGraphQL: false,
  silent: true,
  logLevel: 'error',
  verbose: false,
  allowClientClassCreation: true,
  masterKeyIps: ['127.0.0.1'],
});
await server.start();
const app = express();
app.use('/parse', server.app);
const listening = app.listen(Number(PORT), '127.0.0.1');

if (PREPARE !== undefined) {
  await new Promise((resolve) => listening.once('listening', resolve));
  await createTables();
  console.log(bcrypt.hashSync(PASSWORD, 10));
  process.exit(0);
}

async function createTables() {
  const application = { 'x-parse-application-id': 'bench', 'content-type': 'application/json' };
  const asMaster = { ...application, 'x-parse-master-key': 'master' };
  const post = async (path, body, headers = asMaster) => {
    const response = await fetch(serverURL + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  };
  const [text, number] = [{ type: 'String' }, { type: 'Number' }];
  await post('/schemas', {
    className: 'Group',
    fields: { name: text, state: text, score: number, acceptedCount: number },
  });
  await post('/schemas', {
    className: 'Member',
    fields: {
      group: { type: 'Pointer', targetClass: 'Group' },
      user: { type: 'Pointer', targetClass: '_User' },
      status: text,
    },
  });
  // The first registration by a client creates the tables of users and sessions.
  const probe = { username: 'probe', password: 'password-of-probe', email: 'probe@example.test' };
  await post('/users', probe, application);
}
