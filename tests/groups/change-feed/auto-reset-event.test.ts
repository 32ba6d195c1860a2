import { describe, expect, it } from '@jest/globals';
import { AutoResetEvent } from '../../../src/groups/change-feed/auto-reset-event.js';

describe('an alarm', () => {
  it('wakes who sleeps', async () => {
    const alarm = new AutoResetEvent();
    const sleeping = alarm.sleep();
    alarm.ring();
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('is heard by who falls asleep after it rang, once', async () => {
    const alarm = new AutoResetEvent();
    alarm.ring();
    alarm.ring();
    await alarm.sleep();
    const woken = alarm.sleep().then(() => 'woken');
    await expect(Promise.race([woken, Promise.resolve('asleep')])).resolves.toBe('asleep');
    alarm.ring();
    await expect(woken).resolves.toBe('woken');
  });
});
