import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkNode } from '../../../src/cli/doctor/check-node.js';
import { withClient } from '../../support/database/test-database.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

let fixture: CliFixture;
beforeEach(async () => {
  fixture = await createCliFixture();
});
afterEach(() => fixture.close());

/** Lines of the report by their subject, as `state text`. */
function findings(out: string): Record<string, string> {
  const lines = out.split('\n').filter((line) => /^(ok|note|WRONG) /.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(6, 19).trim(), `${line.slice(0, 6).trim()} ${line.slice(19)}`]),
  );
}

async function pretend(sql: string): Promise<void> {
  await withClient(fixture.databaseUrl, (client) => client.query(sql));
}

describe('convene doctor', () => {
  it('reports no error for a working set-up', async () => {
    const { code, out, err } = await fixture.convene('doctor');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(findings(out)).toEqual({
      Node: `ok ${process.versions.node}`,
      Settings: 'ok for test, on port 1',
      'Public URL': 'ok http://localhost:1',
      'Data folder': `ok ${fixture.folder}`,
      Connections: expect.stringMatching(/^ok up to 16 \(DATABASE_POOL\), of \d+ that the server grants$/),
      Database: expect.stringMatching(/^ok PostgreSQL \d+\.\d+, of DATABASE_URL$/),
      Migrations: 'ok up to date',
      Jobs: 'ok kept in PostgreSQL',
      Mail: `ok written to ${join(fixture.folder, 'outbox')}; SMTP_URL would have it sent`,
    });
    expect(out).toMatch(/\n\nEverything is in order\.$/);
  });

  it('stops after invalid settings and names them', async () => {
    const { code, out } = await fixture.conveneWith({ PORT: 'x', LOG_LEVEL: 'loud' }, 'doctor');
    expect(code).toBe(1);
    expect(Object.keys(findings(out))).toEqual(['Node', 'Settings']);
    expect(out).toContain('PORT must be a whole number');
    expect(out).toContain('LOG_LEVEL must be one of');
    expect(out).not.toContain('in order');
  });

  it.each([
    [
      'a database that does not respond',
      { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/x' },
      'Database',
      /^WRONG The database cannot be used \(connect ECONNREFUSED/,
    ],
    [
      'a mail server that does not respond',
      { SMTP_URL: 'smtp://127.0.0.1:1' },
      'Mail',
      /^WRONG Mail cannot be sent \(.*ECONNREFUSED.*SMTP_URL/,
    ],
    ['a sender that is none', { MAIL_FROM: 'a@b.example, c@d.example' }, 'Mail', /^WRONG .*MAIL_FROM/],
    [
      'a job store that does not respond',
      { JOBS_BACKEND: 'mongo', MONGODB_URI: 'mongodb://127.0.0.1:1/x' },
      'Jobs',
      /^WRONG Agenda cannot keep its jobs in MongoDB .*MONGODB_URI/,
    ],
  ])('finds %s, looks at the rest, and shows no password', async (_, settings, about, text) => {
    const { code, out } = await fixture.conveneWith(settings, 'doctor');
    expect(code).toBe(1);
    expect(findings(out)[about]).toMatch(text);
    expect(Object.keys(findings(out))).toEqual(expect.arrayContaining(['Node', 'Database', 'Mail']));
    expect(out).not.toContain('hidden');
  });

  it('reports a data folder that is not a folder', async () => {
    const file = join(fixture.folder, 'file');
    await writeFile(file, '');
    const { code, out } = await fixture.conveneWith({ DATA_DIR: join(file, 'data') }, 'doctor');
    expect(code).toBe(1);
    expect(findings(out)['Data folder']).toMatch(/^WRONG The data folder .* is a file or lies below one: .*DATA_DIR/);
  });

  it('accepts a missing data folder with a writable parent', async () => {
    const parent = join(fixture.folder, 'parent');
    await mkdir(parent);
    await chmod(parent, 0o700);
    const { out } = await fixture.conveneWith({ DATA_DIR: join(parent, 'a', 'b') }, 'doctor');
    expect(findings(out)['Data folder']).toBe(`ok ${join(parent, 'a', 'b')}, to be made`);
  });

  it.each([
    [
      'has a pending migration',
      "delete from migration where name = '003-jobs'",
      /^WRONG The database lacks 003-jobs: run "convene migrate" first\.$/,
    ],
    [
      'belongs to a newer version',
      "insert into migration (name) values ('999-future')",
      /^WRONG .*newer version of Convene .*999-future/,
    ],
  ])('finds a database that %s', async (_, sql, text) => {
    await pretend(sql);
    const { code, out } = await fixture.convene('doctor');
    expect(code).toBe(1);
    expect(findings(out)['Migrations']).toMatch(text);
  });

  it('reports tasks that are overdue', async () => {
    await pretend(`insert into outbox_task (id, name, payload, status, attempts, created_at, due_at)
      values ('0199a0c2-0000-7000-8000-000000000001', 'x', '{}', 'QUEUED', 0, now(), now() - interval '2 minutes')`);
    const { code, out } = await fixture.convene('doctor');
    expect(code).toBe(1);
    expect(findings(out)['Jobs']).toMatch(/^WRONG 1 tasks have been due for over a minute/);
  });

  it('prints a note, and no error, for failed tasks', async () => {
    await pretend(`
      with ada as (insert into account (id, username, username_key, password_hash, created_at)
        values ('0199a0c2-0000-7000-8000-00000000000a', 'ada', 'ada', 'none', now()) returning id)
      insert into outbox_task (id, name, payload, registered_user_id, status, attempts, created_at)
       select task.*, 'FAILED', 12, now()
      from ada, lateral (values
         ('0199a0c2-0000-7000-8000-000000000001'::uuid, 'x', '{}'::jsonb, ada.id),
         ('0199a0c2-0000-7000-8000-000000000002', 'x', '{}', null)) as task`);
    const { code, out } = await fixture.convene('doctor');
    expect(code).toBe(0);
    expect(findings(out)['Jobs']).toBe(
      'note given up: 1 of the follow-ups (see "convene follow-ups list --status failed"), 1 of the mails and ' +
        'other tasks (the log of the service says why)',
    );
    expect((await fixture.convene('follow-ups', 'list', '--status', 'failed')).err).toBe('1 of 1.');
  });
});

describe('checkNode', () => {
  it.each([
    ['22.17.0', 'ok'],
    ['24.0.0', 'ok'],
    ['100.0.0', 'ok'],
    ['22.16.9', 'error'],
    ['20.19.0', 'error'],
    ['8.0.0', 'error'],
  ])('finds %s %s', (version, state) => {
    expect(checkNode(version).state).toBe(state);
  });
});
