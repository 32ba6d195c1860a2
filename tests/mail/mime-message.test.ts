import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import type { Mail } from '../../src/accounts/ports/mailer.js';
import { toMimeMessage, validateSender } from '../../src/mail/mime-message.js';
import { FROM, sampleMail } from './sample-mail.js';

const builder = createTransport({ streamTransport: true, buffer: true });
const build = async (mail: Mail) => (await builder.sendMail(toMimeMessage(mail, FROM))).message;
const lineBreaks = ['\n', '\r', '\r\n', '\u0000', '\u0085'];

describe('toMimeMessage', () => {
  it('has sender, one recipient, subject and both bodies', async () => {
    const parsed = await simpleParser(await build(sampleMail()));
    expect(parsed.from?.text).toContain('no-reply@convene.example');
    expect(parsed.to).toMatchObject({ value: [{ address: 'ada@example.org' }] });
    expect(parsed.subject).toBe('Grüße und ein Link');
    expect(parsed.text).toBe(sampleMail().text);
    expect(parsed.html).toContain('href="https://convene.example/verify-email#secret=abc_DEF-123"');
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it.each([
    ['ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example'],
    ['Ada@例え。テスト', 'Ada@xn--r8jz45g.xn--zckzah'],
    ['Ada@Example.ORG', 'Ada@Example.ORG'],
  ])('goes to %s as %s', async (to, address) => {
    expect(toMimeMessage(sampleMail({ to }), FROM).to).toEqual({ name: '', address });
    expect((await builder.sendMail(toMimeMessage(sampleMail({ to }), FROM))).envelope.to).toEqual([
      address.replace(/@.*/, (domain) => domain.toLowerCase()),
    ]);
  });

  it('rejects a recipient whose Unicode domain has no A-labels', () => {
    expect(() => toMimeMessage(sampleMail({ to: 'ada@xn--ü.example' }), FROM)).toThrow('recipient');
  });

  it('derives the Message-ID from the id of the mail', async () => {
    const [first, again] = await Promise.all([build(sampleMail()), build(sampleMail({ text: 'other' }))]);
    const ids = await Promise.all([first, again].map(async (raw) => (await simpleParser(raw)).messageId));
    expect(ids).toEqual(Array(2).fill('<0195f2c4-7a10-7cc3-9d11-3f0c2a4b5c6d@convene.example>'));
  });

  it.each(lineBreaks)('rejects the control character %j in recipient, subject and id', (character) => {
    const attack = `${character}Bcc: mallory@example.org`;
    expect(() => toMimeMessage(sampleMail({ to: `ada@example.org${attack}` }), FROM)).toThrow('recipient');
    expect(() => toMimeMessage(sampleMail({ subject: `Hello${attack}` }), FROM)).toThrow('subject');
    expect(() => toMimeMessage(sampleMail({ id: `1${attack}` }), FROM)).toThrow('id');
  });

  it.each([
    'a@b.example,c@d.example',
    'a@b.example;c@d.example',
    'A <a@b.example>',
    '"a b"@c.example',
    'a',
    'a@',
    '@b',
    'a b@c.example',
    '',
  ])('refuses %j as a recipient, without repeating it', (to) => {
    expect(() => toMimeMessage(sampleMail({ to }), FROM)).toThrow(
      new Error('The recipient of the mail is not acceptable.'),
    );
  });

  it.each(['../escape', 'a/b', 'a\\b', '.hidden', 'a..b', '', 'ä'])(
    'refuses %j as an id, which is also the name of a file',
    (id) => {
      expect(() => toMimeMessage(sampleMail({ id }), FROM)).toThrow('The id of the mail');
    },
  );

  it('adds no header or recipient for any address and subject', async () => {
    const plain = await simpleParser(await build(sampleMail()));
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\r', '\n', ':', '<', '>', ',', ';', '"', '=?', ' ', '\u2028'),
        fc.string({ minLength: 1 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (to, subject) => {
        const built = await build(sampleMail({ to: `ada${to}@example.org`, subject })).catch(() => null);
        if (built === null) return;
        const parsed = await simpleParser(built);
        expect([...parsed.headers.keys()].filter((name) => name !== 'subject').sort()).toEqual(
          [...plain.headers.keys()].filter((name) => name !== 'subject').sort(),
        );
        expect(parsed.to).toMatchObject({ value: { length: 1 } });
      }),
      { numRuns: 200 },
    );
  });

  it.each(['Convene <a@b.example>, c@d.example', 'Convene', 'a@b.example\r\nBcc: c@d.example', ''])(
    'refuses %j as a sender',
    (from) => {
      expect(() => validateSender(from)).toThrow('The sender of the mail is not acceptable.');
    },
  );

  it.each([FROM, 'convene@localhost', '"Convene, Inc." <no-reply@convene.example>'])(
    'accepts the sender %j',
    (from) => {
      expect(() => validateSender(from)).not.toThrow();
    },
  );
});
