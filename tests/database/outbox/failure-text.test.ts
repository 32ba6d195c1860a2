import { describe, expect, it } from '@jest/globals';
import { failureText } from '../../../src/database/outbox/failure-text.js';

describe('the text kept of a failure', () => {
  it('is the message', () => {
    expect(failureText(new TypeError('no such host'))).toBe('no such host');
    expect(failureText('thrown without an error')).toBe('thrown without an error');
    expect(failureText(new Error(''))).toBe('It failed without a word.');
  });

  it.each([
    ['550 5.1.1 <zoe.b+x@mail.example.org>: user unknown', '550 5.1.1 <…@…>: user unknown'],
    ['connect to smtp://robot:hunter2@mail.example.org:25 failed', 'connect to smtp://mail.example.org:25 failed'],
    ['https://convene.example/verify-email#secret=abc.def is long', 'https://convene.example/verify-email#secret=… is long'],
    ['refused: authorization: Basic', 'refused: authorization: …'],
    ['no file at /var/lib/convene/outbox/01980000-0000-7000-8000-000000000000', 'no file at /var/lib/convene/outbox/01980000-0000-7000-8000-000000000000'],
    ['bad token eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9', 'bad token …'],
  ])('hides what is nobody\'s business: %s', (message, kept) => {
    expect(failureText(new Error(message))).toBe(kept);
  });

  it('cannot forge a line of a log, and is at most 500 characters long', () => {
    expect(failureText(new Error('one\r\n{"level":30}\u0000\u202e two'))).toBe('one {"level":30} two');
    expect([...failureText(new Error('😀 '.repeat(1_000)))]).toHaveLength(500);
  });
});
