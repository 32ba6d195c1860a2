import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createJsonLogger, errorOf, loadPrettyLogger } from '../../src/output/logger.js';

/** Characters that would end a line or move a terminal's cursor when they are not escaped. */
const HOSTILE =
  'canary\r\n{"event":"login"}\n[12:00:00.000] INFO: forged\u001b[2K\u001b[1A\u009b1A\u0085\u2028\u2029\u007f\u0000';

interface CapturedText {
  readonly to: Writable;
  readonly text: () => string;
}

function captureText(): CapturedText {
  let text = '';
  const to = new Writable({
    write: (chunk: Buffer, _, done) => {
      text += chunk.toString();
      done();
    },
  });
  return { to, text: () => text };
}

describe('an error in the log', () => {
  it('of the database contains its code and its place, but not the statement with its values', () => {
    const error = Object.assign(new Error("insert into account values ('canary@example.org') - duplicate key"), {
      name: 'UniqueConstraintViolationException',
      code: '23505',
      constraint: 'account_pkey',
      detail: 'Key (email)=(canary@example.org) exists',
    });
    const logged = JSON.stringify(errorOf(error));
    expect(logged).not.toContain('canary');
    expect(errorOf(error)).toMatchObject({
      code: '23505',
      constraint: 'account_pkey',
      type: 'UniqueConstraintViolationException',
    });
    expect(logged).toContain('logger.test');
  });

  it('of another kind contains its message', () => {
    const stack = expect.stringMatching(/^TypeError: x is not a function\n {4}at .*logger\.test/);
    expect(errorOf(new TypeError('x is not a function'))).toEqual({
      type: 'TypeError',
      message: 'x is not a function',
      stack,
    });
    expect(errorOf('no error at all')).toEqual({ message: 'no error at all' });
  });

  it('contains its cause, by the same rules', () => {
    const cause = Object.assign(new Error("update account set email = 'canary'"), { code: '22001' });
    const several = new AggregateError([cause], 'none of them worked', { cause });
    expect(errorOf(several)).toMatchObject({
      message: 'none of them worked',
      cause: { code: '22001', message: 'A statement failed (SQLSTATE 22001).' },
      errors: [{ code: '22001' }],
    });
    expect(JSON.stringify(errorOf(several))).not.toContain('canary');
  });

  it('ends at a circular cause', () => {
    const circular = new Error('round');
    circular.cause = circular;
    expect(JSON.stringify(errorOf(circular)).match(/"message":"round"/g)).toHaveLength(6);
  });

  it('does not contain its other properties', () => {
    const laden = Object.assign(new Error('The URL is wrong'), {
      code: 'ERR_INVALID_URL',
      input: 'canary',
      entity: { passwordHash: 'canary' },
      rawPacket: Buffer.from('canary'),
    });
    expect(Object.keys(errorOf(laden))).toEqual(['type', 'message', 'code', 'stack']);
  });
});

describe('a log line', () => {
  it('is one line for every reader, whatever it contains', () => {
    const { to, text } = captureText();
    const log = createJsonLogger('trace', to);
    log.warn({ value: HOSTILE, [HOSTILE]: 1, err: new Error(HOSTILE) }, HOSTILE);
    log.child({ name: HOSTILE }).info(HOSTILE);
    expect(text().split(/\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/)).toEqual([
      expect.stringMatching(/^\{.*\}$/),
      expect.stringMatching(/^\{.*\}$/),
      '',
    ]);
    for (const line of text().trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('msg', expect.stringContaining('canary'));
    expect(text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('in a terminal starts only at the beginning of a line, and moves only its colours', async () => {
    const { to, text } = captureText();
    const createPrettyLogger = await loadPrettyLogger();
    createPrettyLogger('trace', to).warn(
      { value: HOSTILE, [HOSTILE]: 1, err: new Error(HOSTILE), nested: { [HOSTILE]: HOSTILE } },
      HOSTILE,
    );
    const plain = text().replaceAll(/\u001b\[\d+m/g, '');
    expect(plain.split('\n').filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(/^\[[\d:]+\] WARN: canary$/),
    ]);
    expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
  });

  it.each([
    [false, 'INFO: canary'],
    [true, `INFO (${process.pid}): canary`],
  ])('in a terminal contains the process id if wanted (%s)', async (showsPid, line) => {
    const { to, text } = captureText();
    const createPrettyLogger = await loadPrettyLogger({ showsPid });
    createPrettyLogger('trace', to).info('canary');
    expect(text().replaceAll(/\u001b\[\d+m/g, '')).toMatch(/^\[[\d:]+\] /);
    expect(text().replaceAll(/\u001b\[\d+m/g, '')).toContain(line);
  });
});
