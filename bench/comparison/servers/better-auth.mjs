import http from 'node:http';
import { betterAuth } from 'better-auth';
import { hashPassword } from 'better-auth/crypto';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer, organization, username } from 'better-auth/plugins';
import pg from 'pg';

const { DATABASE_URL, PORT, PREPARE, PASSWORD } = process.env;
const options = {
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  secret: 'secret-of-the-benchmark-0123456789',
  baseURL: `http://127.0.0.1:${PORT}`,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  plugins: [username(), organization({ membershipLimit: 200_000, invitationLimit: 1_000_000 }), bearer()],
};

if (PREPARE === undefined) {
  http.createServer(toNodeHandler(betterAuth(options))).listen(Number(PORT), '127.0.0.1');
} else {
  await (await getMigrations(options)).runMigrations();
  console.log(await hashPassword(PASSWORD));
  process.exit(0);
}
