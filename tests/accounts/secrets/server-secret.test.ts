import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServerSecret } from '../../../src/accounts/secrets/server-secret.js';

const OLD = randomBytes(32);
const NEW = randomBytes(48);
const secret = new ServerSecret([OLD]);

describe('ServerSecret', () => {
  it('requires at least 32 bytes per secret', () => {
    expect(() => new ServerSecret([])).toThrow('at least 32 bytes');
    expect(() => new ServerSecret([randomBytes(31)])).toThrow('at least 32 bytes');
    expect(() => new ServerSecret([OLD, Buffer.alloc(3)])).toThrow('at least 32 bytes');
  });

  it('prints nothing of itself', () => {
    expect(JSON.stringify(secret)).toBe('{}');
  });
});

describe('ServerSecret.hmac', () => {
  it('is deterministic and 32 bytes long', () => {
    expect(secret.hmac('a', 'data')).toEqual(secret.hmac('a', Buffer.from('data')));
    expect(secret.hmac('a', 'data')).toHaveLength(32);
  });

  it('depends on label, data and secret only', () => {
    const mac = secret.hmac('a', 'data');
    expect(secret.verifyHmac('a', 'data', mac)).toBe(true);
    expect(secret.verifyHmac('b', 'data', mac)).toBe(false);
    expect(secret.verifyHmac('a', 'date', mac)).toBe(false);
    expect(new ServerSecret([NEW]).verifyHmac('a', 'data', mac)).toBe(false);
  });

  it('verifies only in full length with every bit right', () => {
    const mac = secret.hmac('a', 'data');
    expect(secret.verifyHmac('a', 'data', Buffer.alloc(0))).toBe(false);
    expect(secret.verifyHmac('a', 'data', mac.subarray(0, 16))).toBe(false);
    expect(secret.verifyHmac('a', 'data', Buffer.concat([mac, Buffer.alloc(1)]))).toBe(false);
    fc.assert(
      fc.property(fc.nat(255), (bit) => {
        const altered = Buffer.from(mac);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(secret.verifyHmac('a', 'data', altered)).toBe(false);
      }),
    );
  });
});

describe('ServerSecret.seal and open', () => {
  it('return the sealed bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (plaintext) => {
        expect(secret.open('a', secret.seal('a', plaintext))).toEqual(Buffer.from(plaintext));
      }),
    );
  });

  it('produce different bytes each time', () => {
    expect(secret.seal('a', Buffer.from('x'))).not.toEqual(secret.seal('a', Buffer.from('x')));
  });

  it('reject altered, truncated or extended bytes', () => {
    const sealed = secret.seal('a', Buffer.from('a private key'));
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), (bit) => {
        const altered = Buffer.from(sealed);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(() => secret.open('a', altered)).toThrow('cannot be opened');
      }),
    );
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => secret.open('a', sealed.subarray(0, length))).toThrow('cannot be opened');
    }
    expect(() => secret.open('a', Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow('cannot be opened');
  });

  it('reject another label or secret', () => {
    const sealed = secret.seal('a', Buffer.from('x'));
    expect(() => secret.open('b', sealed)).toThrow('cannot be opened');
    expect(() => new ServerSecret([NEW]).open('a', sealed)).toThrow('cannot be opened');
  });
});

describe('ServerSecret with several secrets', () => {
  const both = new ServerSecret([NEW, OLD]);

  it('verifies and opens with the older one', () => {
    expect(both.verifyHmac('a', 'data', secret.hmac('a', 'data'))).toBe(true);
    expect(both.open('a', secret.seal('a', Buffer.from('x'))).toString()).toBe('x');
  });

  it('signs and seals with the first', () => {
    const onlyNew = new ServerSecret([NEW]);
    expect(both.hmac('a', 'data')).toEqual(onlyNew.hmac('a', 'data'));
    expect(onlyNew.open('a', both.seal('a', Buffer.from('x'))).toString()).toBe('x');
    expect(secret.verifyHmac('a', 'data', both.hmac('a', 'data'))).toBe(false);
  });
});
