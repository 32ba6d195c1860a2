import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ValidationError } from '@mikro-orm/core';
import { redactErrorMessage, stackFrames } from '../../../src/database/errors/redact-error.js';
import { measureBusyMs } from '../../support/measure-busy-ms.js';

describe('the text kept of a failure', () => {
  it('is the message', () => {
    expect(redactErrorMessage(new TypeError('no such host'))).toBe('no such host');
    expect(redactErrorMessage('thrown without an error')).toBe('thrown without an error');
    expect(redactErrorMessage(new Error(''))).toBe('It failed without a word.');
  });

  it.each([
    ['550 5.1.1 <zoe.b+x@mail.example.org>: user unknown', '550 5.1.1 <…@…>: user unknown'],
    ['connect to smtp://robot:hunter2@mail.example.org:25 failed', 'connect to smtp://mail.example.org:25 failed'],
    [
      'https://convene.example/verify-email#secret=abc.def is long',
      'https://convene.example/verify-email#secret=… is long',
    ],
    ['refused: authorization: Basic', 'refused: authorization: …'],
    ['refused: Authorization: Basic em9lOmh1bnRlcjI=\r\nbye', 'refused: Authorization: … bye'],
    ['the server said access_token=abc.def newPassword: hunter2', 'the server said access_token=… newPassword: …'],
    ['the server said {"user":"zoe","password":"hunter2"}', 'the server said {"user":"zoe","password":…'],
    [
      'no file at /var/lib/convene/outbox/01980000-0000-7000-8000-000000000000',
      'no file at /var/lib/convene/outbox/01980000-0000-7000-8000-000000000000',
    ],
    ['Unexpected token \'h\', "hunter2" is not valid JSON', "Unexpected token 'h', … is not valid JSON"],
    ['Int cannot represent non-integer value: "hunter2"', 'Int cannot represent non-integer value: …'],
    ['Expected a value of type "Int" but received: "hunter2"', 'Expected a value of type "Int" but received: …'],
    [
      "The argument 'path' must be a string without null bytes. Received 'hunter2\\x00'",
      "The argument 'path' must be a string without null bytes. Received …",
    ],
    ['bad token eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9', 'bad token …'],
  ])("hides what is nobody's business: %s", (message, kept) => {
    expect(redactErrorMessage(new Error(message))).toBe(kept);
  });

  it.each(['23505', '22P02', '42601', 'XX000'])('repeats nothing of a statement that failed with %s', (code) => {
    expect(redactErrorMessage(Object.assign(new Error("insert into account values ('hunter2')"), { code }))).toBe(
      `A statement failed (SQLSTATE ${code}).`,
    );
  });

  it.each(['57P01', '28P01', 'EPIPE', 'ECONNREFUSED'])('is the message of a connection that failed with %s', (code) => {
    expect(redactErrorMessage(Object.assign(new Error('the server is away'), { code }))).toBe('the server is away');
  });

  it('repeats no entity that MikroORM has refused', () => {
    const refused = new ValidationError("Value for Account.email is required\nentity: { passwordHash: 'hunter2' }", {
      passwordHash: 'hunter2',
    });
    expect(redactErrorMessage(refused)).toBe('MikroORM refused what it was given (ValidationError).');
  });

  it('cannot forge a line of a log, and is at most 500 characters long', () => {
    expect(redactErrorMessage(new Error('one\r\n{"level":30}\u0000\u202e two'))).toBe('one {"level":30} two');
    expect([...redactErrorMessage(new Error('😀 '.repeat(1_000)))]).toHaveLength(500);
  });
});

describe('the text kept of a very long failure', () => {
  it.each(['a', '"', '//', '.', 'cannot represent ', '@', 'token: '])(
    'is made at once, however often it says %j',
    async (part) => {
      let text = '';
      const ms = await measureBusyMs(() => {
        text = redactErrorMessage(new Error(part.repeat(100_000 / part.length)));
      });
      expect([...text].length).toBeLessThanOrEqual(500);
      // The patterns alone would take many seconds.
      expect(ms).toBeLessThan(1_000);
    },
  );

  it('has no half of an address at the place where it is cut', () => {
    const recipients = `${'a'.repeat(19)}@b.example `.repeat(66);
    for (const filler of ['', '.', '..', '.......', '................']) {
      expect(
        redactErrorMessage(new Error(`${recipients}${filler} zoe.hunter@example.org ${'and so on '.repeat(50)}`)),
      ).not.toContain('zoe');
    }
  });
});

describe('the frames kept of a failure', () => {
  it('are where it came from, without a message that looks like one', () => {
    // Words that stand in no path to this project.
    const [first, middle, last] = [randomUUID(), randomUUID(), randomUUID()];
    const frames = stackFrames(new Error(`${first}\n    at ${middle} (/srv/${middle}:1:1)\n${last}`));
    expect(frames[0]).toContain('redact-error.test');
    for (const word of [first, middle, last]) expect(frames.join('\n')).not.toContain(word);
  });
});
