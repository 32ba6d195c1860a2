import { describe, expect, it } from '@jest/globals';
import { sessionClient } from '../../../src/accounts/sessions/session-client.js';

describe('sessionClient', () => {
  it('returns address and user agent, or null for an empty one', () => {
    expect(sessionClient({ address: '192.0.2.1', userAgent: 'Firefox' })).toEqual({
      address: '192.0.2.1',
      userAgent: 'Firefox',
    });
    for (const userAgent of [null, ''])
      expect(sessionClient({ address: '192.0.2.1', userAgent })).toMatchObject({ userAgent: null });
  });

  it('truncates to 45 and 300 characters', () => {
    const { address, userAgent } = sessionClient({ address: 'f'.repeat(10_000), userAgent: 'F'.repeat(10_000) });
    expect([address?.length, userAgent?.length]).toEqual([45, 300]);
    expect(
      sessionClient({ address: 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', userAgent: null }).address,
    ).toHaveLength(45);
  });
});
