import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, type Settings } from '../../src/config/index.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';

async function settings(environment: Readonly<Record<string, string>>): Promise<Settings> {
  const folder = await createTemporaryFolder();
  try {
    return loadConfig(environment, folder);
  } finally {
    await removeFolder(folder);
  }
}

describe('rateLimitSetting', () => {
  it.each([
    ['10/15m', { quota: 10, windowSeconds: 900 }],
    ['1/1s', { quota: 1, windowSeconds: 1 }],
    ['100000/24h', { quota: 100_000, windowSeconds: 86_400 }],
  ])('parses %s', async (LIMIT_LOGIN, limit) => {
    expect((await settings({ LIMIT_LOGIN })).LIMIT_LOGIN).toEqual(limit);
  });

  it.each(['10', '10/', '/15m', '0/15m', '-1/15m', '10/15', '10/0m', '10/25h', '10/1d', '1e3/1h', '10 / 15m', 'off'])(
    'rejects "%s"',
    async (LIMIT_LOGIN) => {
      await expect(settings({ LIMIT_LOGIN })).rejects.toThrow(
        new ConfigError(['LIMIT_LOGIN must be a number and a time up to 24h, as in 10/15m']),
      );
    },
  );

  it('applies by default', async () => {
    expect(await settings({})).toMatchObject({
      RATE_LIMITS: true,
      LIMIT_LOGIN: { quota: 10, windowSeconds: 900 },
      LIMIT_LOGIN_ADDRESS: { quota: 30, windowSeconds: 900 },
      LIMIT_LOGIN_NAME: { quota: 100, windowSeconds: 3_600 },
      LIMIT_REGISTER: { quota: 60, windowSeconds: 3_600 },
      LIMIT_RESET_ADDRESS: { quota: 30, windowSeconds: 3_600 },
      LIMIT_MAIL: { quota: 5, windowSeconds: 3_600 },
    });
  });

  it('is turned off by RATE_LIMITS=off', async () => {
    expect((await settings({ RATE_LIMITS: 'off' })).RATE_LIMITS).toBe(false);
    await expect(settings({ RATE_LIMITS: 'no' })).rejects.toThrow('RATE_LIMITS must be on or off');
  });
});

describe('trustedProxies', () => {
  it.each([
    ['10.0.0.0/8, ::1', { kind: 'addresses', addresses: ['10.0.0.0/8', '::1'] }],
    ['loopback,uniquelocal', { kind: 'addresses', addresses: ['loopback', 'uniquelocal'] }],
    ['2001:db8::/32', { kind: 'addresses', addresses: ['2001:db8::/32'] }],
    ['2', { kind: 'hops', count: 2 }],
  ])('parses "%s"', async (TRUST_PROXY, proxies) => {
    expect((await settings({ TRUST_PROXY })).TRUST_PROXY).toEqual(proxies);
  });

  it('returns none by default', async () => {
    expect((await settings({})).TRUST_PROXY).toEqual({ kind: 'none' });
  });

  it.each([
    'true',
    '*',
    '0',
    '-1',
    '100',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '::/129',
    '::ffff:10.0.0.0/8',
    '::ffff:10.0.0.0/95',
    '10.0.0/8',
    'proxy.example',
    '10.0.0.1,',
    'any',
  ])('rejects "%s"', async (TRUST_PROXY) => {
    await expect(settings({ TRUST_PROXY })).rejects.toThrow(
      /^Convene cannot start with these settings:\n {2}- TRUST_PROXY must be addresses or ranges/,
    );
  });
});

describe('ARGON2_MEMORY_KIB and ARGON2_PASSES', () => {
  it('default to the minimum of OWASP and reject weaker values', async () => {
    expect(await settings({})).toMatchObject({ ARGON2_MEMORY_KIB: 19_456, ARGON2_PASSES: 2 });
    await expect(settings({ ARGON2_MEMORY_KIB: '19455', ARGON2_PASSES: '1' })).rejects.toThrow(
      /ARGON2_MEMORY_KIB .*\n.*ARGON2_PASSES /,
    );
  });
});

describe('WEB_CONCURRENCY', () => {
  it('is 1 by default', async () => {
    expect((await settings({})).WEB_CONCURRENCY).toBe(1);
  });

  it.each(['1', '64'])('accepts %s', async (WEB_CONCURRENCY) => {
    expect((await settings({ WEB_CONCURRENCY })).WEB_CONCURRENCY).toBe(Number(WEB_CONCURRENCY));
  });

  it.each(['0', '65', '-1', '1.5', 'auto'])('rejects "%s"', async (WEB_CONCURRENCY) => {
    await expect(settings({ WEB_CONCURRENCY })).rejects.toThrow(
      new ConfigError(['WEB_CONCURRENCY must be a whole number from 1 to 64']),
    );
  });
});

describe('corsOrigins', () => {
  it.each([
    ['https://app.example.org', ['https://app.example.org']],
    ['https://app.example.org, http://localhost:5173', ['https://app.example.org', 'http://localhost:5173']],
    ['*', '*'],
  ])('parses "%s"', async (CORS_ORIGINS, origins) => {
    expect((await settings({ CORS_ORIGINS })).CORS_ORIGINS).toEqual(origins);
  });

  it.each([
    'https://app.example.org/',
    'https://App.example.org',
    'https://app.example.org:443',
    'app.example.org',
    'null',
    'ftp://app.example.org',
    'https://*.example.org',
    '*, https://app.example.org',
    'https://app.example.org,',
  ])('rejects "%s"', async (CORS_ORIGINS) => {
    await expect(settings({ CORS_ORIGINS })).rejects.toThrow('CORS_ORIGINS must be origins separated by commas');
  });
});

describe('MONGODB_URI', () => {
  it.each([
    'mongodb://db.example/convene',
    'mongodb://ada:p%40ss@db1.example:27017,db2.example:27018,[::1]:27019/convene?replicaSet=rs0',
    'mongodb+srv://cluster.example/convene',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/convene',
  ])('accepts %s', async (MONGODB_URI) => {
    expect((await settings({ MONGODB_URI })).MONGODB_URI).toBe(MONGODB_URI);
  });

  it.each(['db.example', 'postgres://db.example/convene', 'mongodb:db.example'])(
    'rejects "%s"',
    async (MONGODB_URI) => {
      await expect(settings({ MONGODB_URI })).rejects.toThrow(
        new ConfigError(['MONGODB_URI must be a URL that begins with mongodb:// or mongodb+srv://']),
      );
    },
  );
});
