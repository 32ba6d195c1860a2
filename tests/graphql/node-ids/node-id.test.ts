import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeNodeId, parseNodeId } from '../../../src/graphql/node-ids/node-id.js';

const MAX_NUMBER = 2_147_483_647;
const BYTES_BEFORE_KEY = 17;
const uuid = fc.uuid();
const number = fc.integer({ min: 1, max: MAX_NUMBER });
const reference = fc.oneof(
  fc.record({ kind: fc.constant('member' as const), groupId: uuid, userId: uuid }),
  fc.record({ kind: fc.constant('change' as const), groupId: uuid, revision: number }),
  fc.record({ kind: fc.constant('score' as const), groupId: uuid, sequence: number }),
);

function bytesOf(id: string): Buffer {
  return Buffer.from(id, 'base64url');
}

/** The id of a number in a group, whatever the number. */
function idOfNumber(tag: number, value: number): string {
  const bytes = Buffer.alloc(BYTES_BEFORE_KEY + 4, 0xab);
  bytes.writeUInt8(tag);
  bytes.writeUInt32BE(value, BYTES_BEFORE_KEY);
  return bytes.toString('base64url');
}

describe('encodeNodeId', () => {
  it('returns text that parseNodeId reads as the same reference, and no two references share', () => {
    fc.assert(
      fc.property(reference, reference, (one, other) => {
        expect(parseNodeId(encodeNodeId(one))).toEqual(one);
        if (JSON.stringify(one) !== JSON.stringify(other)) expect(encodeNodeId(one)).not.toBe(encodeNodeId(other));
      }),
    );
  });

  it('returns the ids that clients have stored', () => {
    const groupId = '0190c2a0-0000-7000-8000-000000000001';
    const userId = '0190c2a0-0000-7000-8000-000000000002';
    expect([
      encodeNodeId({ kind: 'member', groupId, userId }),
      encodeNodeId({ kind: 'change', groupId, revision: 7 }),
      encodeNodeId({ kind: 'score', groupId, sequence: MAX_NUMBER }),
    ]).toEqual([
      'AQGQwqAAAHAAgAAAAAAAAAEBkMKgAABwAIAAAAAAAAAC',
      'AgGQwqAAAHAAgAAAAAAAAAEAAAAH',
      'AwGQwqAAAHAAgAAAAAAAAAF_____',
    ]);
  });
});

describe('parseNodeId', () => {
  it('returns the reference of a UUID in lower case only', () => {
    const id = '0190c2a0-0000-7000-8000-00000000000a';
    expect(parseNodeId(id)).toEqual({ kind: 'uuid', id });
    for (const text of [id.toUpperCase(), `{${id}}`, `urn:uuid:${id}`, ` ${id}`, `${id}\n`, id.replaceAll('-', '')])
      expect([text, parseNodeId(text)]).toEqual([text, null]);
  });

  it('returns null for any text that encodeNodeId does not return', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
        const parsed = parseNodeId(text);
        if (parsed !== null && parsed.kind !== 'uuid') expect(encodeNodeId(parsed)).toBe(text);
      }),
    );
  });

  it('returns null for a changed id, unless it is the id of another object', () => {
    fc.assert(
      fc.property(reference, fc.nat(), fc.nat({ max: 255 }), (each, position, value) => {
        const bytes = bytesOf(encodeNodeId(each));
        bytes[position % bytes.length] = value;
        const text = bytes.toString('base64url');
        const parsed = parseNodeId(text);
        if (parsed !== null && parsed.kind !== 'uuid') expect(encodeNodeId(parsed)).toBe(text);
      }),
    );
  });

  it.each([
    ['an empty text', ''],
    ['padding', 'AgGQwqAAAHAAgAAAAAAAAAEAAAAH===='],
    ['the other alphabet of base64', 'AwGQwqAAAHAAgAAAAAAAAAF/////'],
    ['spare bits that are set', 'AQGQwqAAAHAAgAAAAAAAAAEBkMKgAABwAIAAAAAAAAAD'.slice(0, 43)],
    ['a byte too few', bytesOf('AgGQwqAAAHAAgAAAAAAAAAEAAAAH').subarray(0, -1).toString('base64url')],
    ['a byte too many', Buffer.concat([bytesOf('AgGQwqAAAHAAgAAAAAAAAAEAAAAH'), Buffer.of(0)]).toString('base64url')],
    ['an unknown type', idOfNumber(4, 1)],
    ['the type of another length', idOfNumber(1, 1)],
    ['the number 0', idOfNumber(2, 0)],
    ['a number that no row has', idOfNumber(3, MAX_NUMBER + 1)],
    ['a long text', 'A'.repeat(1_000_000)],
  ])('returns null for %s', (_, text) => {
    expect(parseNodeId(text)).toBeNull();
  });
});
