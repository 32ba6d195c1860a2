import { describe, expect, it } from '@jest/globals';
import { sessionClient } from '../../../src/accounts/sessions/session-client.js';

describe('what a session keeps of its client', () => {
  it('is what the client says of itself, if anything', () => {
    expect(sessionClient({ address: '192.0.2.1', userAgent: 'Firefox' })).toEqual({
      address: '192.0.2.1',
      userAgent: 'Firefox',
    });
    for (const userAgent of [null, ''])
      expect(sessionClient({ address: '192.0.2.1', userAgent })).toMatchObject({ userAgent: null });
  });

  it("is never longer than an address and a browser's name can be, whatever door it came through", () => {
    const { address, userAgent } = sessionClient({ address: 'f'.repeat(10_000), userAgent: 'F'.repeat(10_000) });
    expect([address?.length, userAgent?.length]).toEqual([45, 300]);
    expect(
      sessionClient({ address: 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', userAgent: null }).address,
    ).toHaveLength(45);
  });
});
