import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, type Settings } from '../../src/config/index.js';
import { createMailCertificates } from '../mail/mail-certificates.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { describeWith } from '../support/processes/installed-programs.js';

const settings = (environment: Readonly<Record<string, string>>): Settings => loadConfig(environment, '/nonexistent');

describe('SMTP_URL', () => {
  it.each([
    'smtp://localhost',
    'smtps://ada:p%40ss@mail.example.org:465',
    'smtp://mail.example.org?requireTLS=true&tls.servername=example.org',
  ])('accepts %s', (SMTP_URL) => {
    expect(settings({ SMTP_URL }).SMTP_URL).toBe(SMTP_URL);
  });

  it.each([
    ['mail.example.org', 'must be a URL that begins with smtp:// or smtps://'],
    ['https://mail.example.org', 'must be a URL that begins with smtp:// or smtps://'],
    ['smtp://localhost?socketTimeout=600000', 'may have the parameters authMethod, ignoreTLS,'],
    ['smtp://ada:hidden@localhost?debug=true&logger=true', 'may have the parameters authMethod, ignoreTLS,'],
  ])('rejects %s', (SMTP_URL, problem) => {
    expect(() => settings({ SMTP_URL })).toThrow(`\n  - SMTP_URL ${problem}`);
  });
});

describeWith(['openssl'], 'SMTP_CA_FILE', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await createTemporaryFolder();
  });
  afterAll(() => removeFolder(folder));

  it('reads every certificate of the file', async () => {
    const { authority, authorityFile, valid } = await createMailCertificates(folder);
    expect(settings({ SMTP_CA_FILE: authorityFile }).SMTP_CA_FILE).toEqual([authority]);
    const bundle = join(folder, 'bundle.pem');
    await writeFile(bundle, `# Private\n${authority}\n${valid.cert}`);
    expect(settings({ SMTP_CA_FILE: bundle }).SMTP_CA_FILE).toEqual([authority, valid.cert]);
    expect(settings({}).SMTP_CA_FILE).toEqual([]);
  });

  it.each([
    ['that is missing', null],
    ['without a certificate', 'nothing'],
    ['with a damaged certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('rejects a file %s', async (_, content) => {
    const SMTP_CA_FILE = join(folder, 'rejected.pem');
    if (content !== null) await writeFile(SMTP_CA_FILE, content);
    expect(() => settings({ SMTP_CA_FILE })).toThrow(
      '\n  - SMTP_CA_FILE must name a readable file of certificates in PEM',
    );
  });
});
