/** An object that a client refers to by its id. */
export type NodeReference =
  /** A user, a group or an invitation: their ids are UUIDs in lower case, and tell nothing of the type. */
  { readonly kind: 'uuid'; readonly id: string } | MemberReference | ChangeReference | ScoreReference;

interface MemberReference {
  readonly kind: 'member';
  readonly groupId: string;
  readonly userId: string;
}

interface ChangeReference {
  readonly kind: 'change';
  readonly groupId: string;
  readonly revision: number;
}

interface ScoreReference {
  readonly kind: 'score';
  readonly groupId: string;
  readonly sequence: number;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const UUID_DIGITS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The first byte of an opaque id. Append-only: clients may keep ids for years. */
const TAGS = { member: 1, change: 2, score: 3 } as const;
const TAG_BYTES = 1;
const UUID_BYTES = 16;
const NUMBER_BYTES = 4;
/** Length of the id of a member: tag, group and user. No opaque id is longer. */
const MAX_LENGTH = Math.ceil(((TAG_BYTES + 2 * UUID_BYTES) * 4) / 3);
/** Largest value of PostgreSQL's `integer`. */
const MAX_NUMBER = 2_147_483_647;

/**
 * Encodes the primary key of an object that has no UUID: a tag for its type, the UUID of its group, and the UUID of its
 * user or its number in the group, as base64url. The same object always has the same id.
 */
export function encodeNodeId(reference: MemberReference | ChangeReference | ScoreReference): string {
  const parts = [Buffer.of(TAGS[reference.kind]), uuidToBytes(reference.groupId), keyInGroup(reference)];
  return Buffer.concat(parts).toString('base64url');
}

/** @returns null for a text that no object of the service has as its id */
export function parseNodeId(id: string): NodeReference | null {
  if (UUID.test(id)) return { kind: 'uuid', id };
  if (id.length > MAX_LENGTH) return null;
  const bytes = Buffer.from(id, 'base64url');
  // Node decodes base64url leniently. Only the canonical text is accepted, so an object has one id.
  return bytes.toString('base64url') === id ? readOpaqueId(bytes) : null;
}

function readOpaqueId(bytes: Buffer): NodeReference | null {
  const tag = bytes[0];
  const groupId = uuidFromBytes(bytes.subarray(TAG_BYTES, TAG_BYTES + UUID_BYTES));
  const key = bytes.subarray(TAG_BYTES + UUID_BYTES);
  if (key.length === UUID_BYTES)
    return tag === TAGS.member ? { kind: 'member', groupId, userId: uuidFromBytes(key) } : null;
  const number = key.length === NUMBER_BYTES ? key.readUInt32BE() : 0;
  if (number < 1 || number > MAX_NUMBER) return null;
  if (tag === TAGS.change) return { kind: 'change', groupId, revision: number };
  return tag === TAGS.score ? { kind: 'score', groupId, sequence: number } : null;
}

function keyInGroup(reference: MemberReference | ChangeReference | ScoreReference): Buffer {
  if (reference.kind === 'member') return uuidToBytes(reference.userId);
  return numberToBytes(reference.kind === 'change' ? reference.revision : reference.sequence);
}

function uuidToBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidFromBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(UUID_DIGITS, '$1-$2-$3-$4-$5');
}

function numberToBytes(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32BE(number);
  return bytes;
}
