import { describe, expect, it } from '@jest/globals';
import { checkPublicUrl } from '../../../src/cli/doctor/check-public-url.js';
import { loadConfig } from '../../../src/config/index.js';

const PRODUCTION = { NODE_ENV: 'production', SERVER_SECRET: Buffer.alloc(32).toString('base64') };

const check = (environment: Readonly<Record<string, string>>) =>
  checkPublicUrl(loadConfig(environment, '/nonexistent'));

describe('checkPublicUrl', () => {
  it('returns the URL without a hint during development', () => {
    expect(check({})).toEqual({ subject: 'Public URL', state: 'ok', text: 'http://localhost:4000' });
  });

  it.each([
    [{}, /^http:\/\/localhost:4000: .* Set PUBLIC_URL\.$/],
    [{ PUBLIC_URL: 'http://example.org' }, /^http:\/\/example\.org: .* Use https/],
    [{ PUBLIC_URL: 'https://example.org/convene/' }, /^https:\/\/example\.org\/convene: .* in TRUST_PROXY\.$/],
  ])('warns in production about %p', (settings, text) => {
    expect(check({ ...PRODUCTION, ...settings })).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(text),
    });
  });

  it.each([{ PUBLIC_URL: 'https://example.org', TRUST_PROXY: 'loopback' }, { PUBLIC_URL: 'http://127.0.0.1:4000' }])(
    'accepts in production %p',
    (settings) => {
      expect(check({ ...PRODUCTION, ...settings }).state).toBe('ok');
    },
  );
});
