import { describe, expect, it } from '@jest/globals';
import { AutoResetEvent } from '../../../src/groups/change-feed/auto-reset-event.js';

describe('AutoResetEvent', () => {
  it('resolves a pending wait() at set()', async () => {
    const alarm = new AutoResetEvent();
    const sleeping = alarm.wait();
    alarm.set();
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('resolves one wait() after an earlier set()', async () => {
    const alarm = new AutoResetEvent();
    alarm.set();
    alarm.set();
    await alarm.wait();
    const woken = alarm.wait().then(() => 'woken');
    await expect(Promise.race([woken, Promise.resolve('asleep')])).resolves.toBe('asleep');
    alarm.set();
    await expect(woken).resolves.toBe('woken');
  });
});
