import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithFerretDb } from '../../support/ferretdb/describe-with-mongo.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

describeWithFerretDb('convene doctor with JOBS_BACKEND=mongo', (server) => {
  let fixture: CliFixture;
  beforeAll(async () => {
    fixture = await createCliFixture();
  });
  afterAll(() => fixture.close());

  async function reportJobs(mongodbUri: string): Promise<string> {
    const settings = { JOBS_BACKEND: 'mongo', MONGODB_URI: mongodbUri };
    const { out, err } = await fixture.conveneWith(settings, 'doctor');
    expect(out + err).not.toContain('hunter2');
    return /^.{6}Jobs +(.*)$/m.exec(out)?.[1] ?? '';
  }

  function uriWith(parts: { readonly userInfo?: string; readonly query?: string }): string {
    return `mongodb://${parts.userInfo ?? ''}${new URL(server().uri).host}/convene?${parts.query ?? ''}`;
  }

  it('accepts a server that works', async () => {
    expect(await reportJobs(uriWith({}))).toBe('kept in MongoDB');
  });

  it.each([
    ['wrong credentials', { userInfo: 'ada:hunter2@' }, /check the user, the password and authSource/],
    ['TLS that the server does not speak', { query: 'tls=true' }, /\(.*TLS.*\): check tls and tlsCAFile/],
    ['another replica set', { query: 'replicaSet=rs9' }, /check that the server runs, and the hosts, .* replicaSet/],
    ['an unknown option', { userInfo: 'ada:hunter2@', query: 'tsl=true' }, /^MONGODB_URI cannot be used: option tsl/],
  ])('reports %s, without the password', async (_, parts, text) => {
    expect(await reportJobs(uriWith(parts))).toMatch(text);
  });
});
