import { describe, expect, it, jest } from '@jest/globals';
import { KnownRows, versionOf } from '../../../src/database/index.js';

interface Json {
  readonly text: string;
}

function createKnownTexts() {
  const parse = jest.fn(({ text }: Json) => text);
  return { known: new KnownRows(parse), parse };
}

describe('KnownRows', () => {
  it('returns a row that the statement did not return, because its version is known, without parsing it', () => {
    const { known, parse } = createKnownTexts();
    const [unknown] = known.find(['a']);
    expect(unknown && versionOf(unknown)).toBeNull();
    expect(known.current('a', unknown, { version: '7', text: 'first' })).toBe('first');
    const [again] = known.find(['a']);
    expect(again && versionOf(again)).toBe('7');
    expect(known.current('a', again, null)).toBe('first');
    expect(parse).toHaveBeenCalledTimes(1);
  });

  it('returns and keeps a row of another version', () => {
    const { known } = createKnownTexts();
    known.current('a', null, { version: '7', text: 'first' });
    expect(known.current('a', known.find(['a'])[0], { version: '9', text: 'second' })).toBe('second');
    const [latest] = known.find(['a']);
    expect(latest).toEqual({ version: '9', row: 'second' });
  });

  it('keeps what a statement was told, when another one replaces it meanwhile', () => {
    const { known } = createKnownTexts();
    known.current('a', null, { version: '7', text: 'first' });
    const [told] = known.find(['a']);
    known.current('a', told, { version: '9', text: 'second' });
    expect(known.current('a', told, null)).toBe('first');
  });

  it('knows nothing of other keys, and of a row that was not found', () => {
    const { known } = createKnownTexts();
    known.current('a', null, { version: '7', text: 'first' });
    expect(known.find(['b', 'a']).map(versionOf)).toEqual([null, '7']);
    expect(known.current('b', null, null)).toBeNull();
  });

  it('forgets a row after a minute', () => {
    // The cache reads the time at most once per second.
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const now = jest.spyOn(performance, 'now').mockReturnValue(1);
    try {
      const { known } = createKnownTexts();
      known.current('a', null, { version: '7', text: 'first' });
      for (const [at, version] of [
        [59_000, '7'],
        [62_000, null],
      ] as const) {
        now.mockReturnValue(at);
        jest.advanceTimersByTime(1_000);
        expect(known.find(['a']).map(versionOf)).toEqual([version]);
      }
    } finally {
      now.mockRestore();
      jest.useRealTimers();
    }
  });
});
