import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { createFileMailer } from '../../src/mail/file-mailer.js';
import { FROM, sampleMail } from './sample-mail.js';

describe('createFileMailer', () => {
  let folder: string;
  let lines: unknown[][];
  const mailer = (logsLinks = true) =>
    createFileMailer({
      from: FROM,
      outboxDir: join(folder, 'outbox'),
      log: { info: (...line) => void lines.push(line) },
      logLinks: logsLinks,
    });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'convene-outbox-'));
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes a complete message with mode 0600 and no other file', async () => {
    await mailer().send(sampleMail());
    const [name, ...others] = await readdir(join(folder, 'outbox'));
    expect(others).toEqual([]);
    expect(name).toBe(`${sampleMail().id}.eml`);
    const file = join(folder, 'outbox', `${sampleMail().id}.eml`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'outbox'))).mode & 0o777).toBe(0o700);
    const raw = await readFile(file);
    expect(raw.toString()).not.toMatch(/[^\r]\n/);
    expect(await simpleParser(raw)).toMatchObject({ subject: sampleMail().subject, text: sampleMail().text });
  });

  it('replaces the file when a mail is sent again', async () => {
    await mailer().send(sampleMail({ subject: 'first' }));
    await mailer().send(sampleMail({ subject: 'second' }));
    expect(await readdir(join(folder, 'outbox'))).toHaveLength(1);
    expect((await simpleParser(await readFile(join(folder, 'outbox', `${sampleMail().id}.eml`)))).subject).toBe(
      'second',
    );
  });

  it('logs one line with the first link and without the recipient', async () => {
    await mailer().send(sampleMail());
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[0]).toMatchObject({ link: 'https://convene.example/verify-email#secret=abc_DEF-123' });
    expect(JSON.stringify(lines)).not.toContain('ada');
  });

  it('logs only the file when logLinks is false', async () => {
    await mailer(false).send(sampleMail());
    expect(lines).toEqual([
      [
        { mailId: sampleMail().id, file: join(folder, 'outbox', `${sampleMail().id}.eml`) },
        'Mail written to the outbox',
      ],
    ]);
  });

  it('rejects send() and check() and leaves no partial file when the outbox is not writable', async () => {
    await writeFile(join(folder, 'outbox'), 'a file where the folder should be');
    await expect(mailer().check()).rejects.toThrow('EEXIST');
    await expect(mailer().send(sampleMail())).rejects.toThrow('EEXIST');
    expect(lines).toEqual([]);
  });

  it('resolves check() when the outbox is writable', async () => {
    await expect(mailer().check()).resolves.toBeNull();
  });
});
