import { describe, expect, it } from '@jest/globals';
import { AutoResetEvent } from '../../../src/groups/change-feed/auto-reset-event.js';

describe('an alarm', () => {
  it('wakes who sleeps', async () => {
    const alarm = new AutoResetEvent();
    const sleeping = alarm.wait();
    alarm.set();
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('is heard by who falls asleep after it rang, once', async () => {
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
