import type { Database } from '../../database/index.js';
import type { Actor } from '../identity/actor.js';
import type { Clock } from '../ports/clock.js';
import type { ServerSecret } from '../secrets/server-secret.js';

/** A request that may be repeated, with the values that identify it. */
export interface IdempotentOperation {
  /** The Idempotency-Key as sent. */
  readonly key: string;
  readonly operation: string;
  readonly actor: Actor;
  /**
   * The whole input without passwords. Reason: a client that reads the table or repeats the request could guess a
   * password from a fast MAC. A use case with a password verifies it at each repetition instead.
   */
  readonly input: unknown;
}

export interface IdempotencyDeps {
  readonly database: Database;
  readonly serverSecret: ServerSecret;
  readonly clock: Clock;
}

/** Identifies the key of a caller and an operation, also in the database. */
export function macOfKey({ serverSecret }: IdempotencyDeps, { key, operation, actor }: IdempotentOperation): Buffer {
  return serverSecret.hmac('idempotency-key', JSON.stringify([operation, callerOf(actor), key]));
}

/** Identifies the input. */
export function macOfRequest({ serverSecret }: IdempotencyDeps, { input }: IdempotentOperation): Buffer {
  return serverSecret.hmac('idempotent-request', JSON.stringify(input));
}

/** The advisory lock of a key. */
export function lockIdOf(keyMac: Buffer): string {
  return keyMac.readBigInt64BE().toString();
}

/**
 * Separates callers, so that guessing a key does not reveal the response of another caller. Anonymous callers share one
 * namespace, where the input decides.
 */
function callerOf(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return actor.userId;
    case 'service':
      return actor.apiKeyId;
    case 'anonymous':
      return '';
  }
}
