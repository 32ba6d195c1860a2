import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ShutdownStack } from '../../src/shutdown/shutdown-stack.js';

function createStack(): { readonly stack: ShutdownStack; readonly stopped: string[] } {
  const stack = new ShutdownStack();
  const stopped: string[] = [];
  stack.add('the first part', () => void stopped.push('first'));
  stack.add('the failing part', () => Promise.reject(new Error('gone')));
  stack.add('the last part', () => void stopped.push('last'));
  return { stack, stopped };
}

describe('ShutdownStack', () => {
  it('stops all parts once, the last first, and names the one that failed', async () => {
    const { stack, stopped } = createStack();
    await expect(stack.stop()).rejects.toThrow('the failing part did not stop cleanly');
    await expect(stack.stop()).rejects.toThrow('the failing part did not stop cleanly');
    expect(stopped).toEqual(['last', 'first']);
  });

  it('returns the result of successful work and stops nothing', async () => {
    const { stack, stopped } = createStack();
    expect(await stack.stopOnFailure(() => Promise.resolve(1))).toBe(1);
    expect(stopped).toEqual([]);
  });

  it('stops all parts when work fails, and throws the error of the work', async () => {
    const { stack, stopped } = createStack();
    await expect(stack.stopOnFailure(() => Promise.reject(new Error('port in use')))).rejects.toThrow('port in use');
    expect(stopped).toEqual(['last', 'first']);
  });

  it('tells the remaining parts to stop when the time has passed, and waits for those that must end', async () => {
    const stack = new ShutdownStack(20);
    const stopped: string[] = [];
    const endLater = async (name: string): Promise<void> => {
      await delay(60);
      stopped.push(name);
    };
    stack.add('the database', () => endLater('database'), { mustEnd: true });
    stack.add('the middle part', () => void stopped.push('middle'));
    stack.add('the part that hangs', () => new Promise(() => undefined));
    await expect(stack.stop()).rejects.toThrow('the part that hangs did not stop cleanly');
    expect(stopped).toEqual(['middle', 'database']);
  });
});
