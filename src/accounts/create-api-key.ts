import { createHash, randomBytes } from 'node:crypto';
import { inTransaction } from '../database/index.js';
import { InvalidFields } from '../errors/index.js';
import { API_KEY_SCOPES, ApiKey, type ApiKeyScope } from './api-key.entity.js';
import type { AccountsDeps } from './deps.js';
import { newId } from './new-id.js';
import { plainTextProblem } from './text.js';

/** What every API key begins with, so that people and secret scanners recognise one. */
export const API_KEY_PREFIX = 'cvn_';
const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;
const LONGEST_NAME = 80;

export interface ApiKeyInput {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Null for every group. */
  readonly groupIds: readonly string[] | null;
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** The only time that it can be seen: what is kept is its hash. */
  readonly secret: string;
}

/** @throws InvalidInputError for a name, scope list or expiry that cannot be. */
export async function createApiKey(deps: Pick<AccountsDeps, 'database' | 'clock'>, input: ApiKeyInput): Promise<CreatedApiKey> {
  const now = deps.clock.now();
  checkInput(input, now);
  const secret = API_KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const apiKey = await inTransaction(deps.database, (em) => {
    const created = em.create(ApiKey, {
      id: newId(),
      name: input.name,
      prefix: secret.slice(0, SHOWN_CHARACTERS),
      secretHash: createHash('sha256').update(secret).digest(),
      scopes: [...input.scopes],
      groupIds: input.groupIds === null ? null : [...input.groupIds],
      createdAt: now,
      expiresAt: input.expiresAt,
    });
    em.persist(created);
    return Promise.resolve(created);
  });
  return { apiKey, secret };
}

function checkInput(input: ApiKeyInput, now: Date): void {
  new InvalidFields()
    .check('name', plainTextProblem(input.name, { min: 1, max: LONGEST_NAME }))
    .check('scopes', input.scopes.length > 0 ? null : `must name at least one of ${API_KEY_SCOPES.join(', ')}`)
    .check('expiresAt', input.expiresAt === null || input.expiresAt > now ? null : 'must be in the future')
    .throwIfAny();
}
