import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ValidationError } from '@mikro-orm/core';
import { redactErrorMessage, stackFrames } from '../../../src/database/errors/redact-error.js';
import { measureBusyMs } from '../../support/measure-busy-ms.js';

describe('redactErrorMessage', () => {
  it('returns a message without private values unchanged', () => {
    expect(redactErrorMessage(new TypeError('no such host'))).toBe('no such host');
    expect(redactErrorMessage('thrown without an error')).toBe('thrown without an error');
    expect(redactErrorMessage(new Error(''))).toBe('The error has no message.');
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
  ])('removes private values: %s', (message, kept) => {
    expect(redactErrorMessage(new Error(message))).toBe(kept);
  });

  it.each(['23505', '22P02', '42601', 'XX000'])('replaces the message of a statement that failed with %s', (code) => {
    expect(redactErrorMessage(Object.assign(new Error("insert into account values ('hunter2')"), { code }))).toBe(
      `A statement failed (SQLSTATE ${code}).`,
    );
  });

  it.each(['57P01', '28P01', 'EPIPE', 'ECONNREFUSED'])(
    'returns the message of a connection that failed with %s',
    (code) => {
      expect(redactErrorMessage(Object.assign(new Error('the server is away'), { code }))).toBe('the server is away');
    },
  );

  it('replaces the message when MikroORM has rejected an entity', () => {
    const refused = new ValidationError("Value for Account.email is required\nentity: { passwordHash: 'hunter2' }", {
      passwordHash: 'hunter2',
    });
    expect(redactErrorMessage(refused)).toBe('MikroORM rejected an entity (ValidationError).');
  });

  it('returns one line of at most 500 characters', () => {
    expect(redactErrorMessage(new Error('one\r\n{"level":30}\u0000\u202e two'))).toBe('one {"level":30} two');
    expect([...redactErrorMessage(new Error('😀 '.repeat(1_000)))]).toHaveLength(500);
  });
});

describe('redactErrorMessage of a very long message', () => {
  it.each(['a', '"', '//', '.', 'cannot represent ', '@', 'token: '])(
    'takes less than 1 s for 100,000 characters of %j',
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

  it('removes the word at which the message is cut', () => {
    const recipients = `${'a'.repeat(19)}@b.example `.repeat(66);
    for (const filler of ['', '.', '..', '.......', '................']) {
      expect(
        redactErrorMessage(new Error(`${recipients}${filler} zoe.hunter@example.org ${'and so on '.repeat(50)}`)),
      ).not.toContain('zoe');
    }
  });
});

describe('stackFrames', () => {
  it('returns the frames without message lines that look like frames', () => {
    // Words that no path of this project contains.
    const [first, middle, last] = [randomUUID(), randomUUID(), randomUUID()];
    const frames = stackFrames(new Error(`${first}\n    at ${middle} (/srv/${middle}:1:1)\n${last}`));
    expect(frames[0]).toContain('redact-error.test');
    for (const word of [first, middle, last]) expect(frames.join('\n')).not.toContain(word);
  });
});
