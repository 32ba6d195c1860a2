import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMailCertificates, type MailCertificates } from '../../mail/mail-certificates.js';
import { describeWithFerretDb } from '../../support/ferretdb/describe-with-mongo.js';
import { startTlsTerminator } from '../../support/ferretdb/tls-terminator.js';
import { describeWith } from '../../support/processes/installed-programs.js';
import { createCliFixture, type CliFixture } from '../fixtures/cli-fixture.js';

type Certificate = 'valid' | 'expired' | 'ofAnotherHost';

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

  describeWith(['openssl'], 'over TLS', () => {
    let certificates: MailCertificates;
    beforeAll(async () => {
      certificates = await createMailCertificates(fixture.folder);
    });

    async function reportJobsOverTls(certificate: Certificate, query: string): Promise<string> {
      const terminator = await startTlsTerminator(certificates[certificate], new URL(server().uri));
      const report = await reportJobs(`mongodb://localhost:${terminator.port}/convene?tls=true${query}`);
      await terminator.stop();
      return report;
    }

    it('accepts a certificate of the authority in tlsCAFile', async () => {
      const query = `&tlsCAFile=${encodeURIComponent(certificates.authorityFile)}`;
      expect(await reportJobsOverTls('valid', query)).toBe('kept in MongoDB');
    });

    it.each([
      ['an unknown authority', 'valid', false],
      ['a time that has passed', 'expired', true],
      ['another host', 'ofAnotherHost', true],
    ] as const)('reports a certificate of %s', async (_, certificate, isAuthorityKnown) => {
      const query = isAuthorityKnown ? `&tlsCAFile=${encodeURIComponent(certificates.authorityFile)}` : '';
      expect(await reportJobsOverTls(certificate, query)).toMatch(/certificate.*\): check tls and tlsCAFile/);
    });
  });
});
