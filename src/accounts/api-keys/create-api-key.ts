import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction } from '../../database/index.js';
import { FieldErrorCollector, NotFoundError } from '../../errors/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { findIdempotentResult, readResultId } from '../idempotency/find-idempotent-result.js';
import type { IdempotencyDeps, IdempotentOperation } from '../idempotency/idempotent-operation.js';
import { lockIdempotencyKey, saveIdempotentResult } from '../idempotency/lock-idempotency-key.js';
import { OPERATOR, requireAdmin, requireAdminInTransaction, type AdminActor } from '../identity/admin-guard.js';
import { API_KEY_SCOPES, type ApiKeyScope } from '../identity/api-key-scope.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { newId } from '../identity/new-id.js';
import { futureTimeProblem } from '../input/future-time.js';
import { normalizeText, validateText } from '../input/text-validation.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { ApiKey } from './api-key.entity.js';

/** Prefix of every API key, for users and secret scanners. */
export const API_KEY_PREFIX = 'cvn_';
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;
const MAX_NAME_CHARACTERS = 80;
const MAX_GROUPS = 1_000;

export interface CreateApiKeyParams {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Null for every group. */
  readonly groupIds: readonly string[] | null;
  /** Null for a key that does not expire. */
  readonly expiresAt: Date | null;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** Only its hash is stored. It is shown again only for a repeated request under its Idempotency-Key. */
  readonly secret: string;
}

/** Port that the groups implement. @returns those of the ids that are no group's */
export type FindMissingGroups = (groupIds: readonly string[]) => Promise<readonly string[]>;

export interface CreateApiKeyDeps extends GetViewerDeps, IdempotencyDeps {
  readonly findMissingGroups: FindMissingGroups;
}

/** Creates an API key for the operator, as `createApiKeyAsAdmin`. */
export function createApiKey(deps: CreateApiKeyDeps, input: CreateApiKeyParams): Promise<CreatedApiKey> {
  return createApiKeyAsAdmin(deps, OPERATOR, input);
}

/**
 * Creates an API key, for an administrator.
 *
 * The same request under the same Idempotency-Key returns the same key and secret.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws InvalidInputError for an invalid name, scope, group or expiry; `groupIds.<index>` for each group that does
 *   not exist
 * @throws NotFoundError `API_KEY_NOT_FOUND` for a repeated request whose key was revoked since, or was created under
 *   another server secret
 */
export async function createApiKeyAsAdmin(
  deps: CreateApiKeyDeps,
  actor: AdminActor,
  input: CreateApiKeyParams,
  operation: IdempotentOperation | null = null,
): Promise<CreatedApiKey> {
  await requireAdmin(deps, actor);
  const storedResult = await findIdempotentResult(deps, operation);
  if (storedResult !== null) return restoreCreatedKey(deps, readResultId(storedResult, 'apiKeyId'));
  validateInput(input, deps.clock.now());
  await validateGroups(deps, input.groupIds ?? []);
  return inTransaction(deps.database, (em) => insertApiKey(em, deps, input, { actor, operation }));
}

interface CreationContext {
  readonly actor: AdminActor;
  readonly operation: IdempotentOperation | null;
}

async function insertApiKey(
  em: EntityManager,
  deps: CreateApiKeyDeps,
  input: CreateApiKeyParams,
  { actor, operation }: CreationContext,
): Promise<CreatedApiKey> {
  const actorId = await requireAdminInTransaction(em, actor);
  await lockIdempotencyKey(em, deps, operation);
  const now = deps.clock.now();
  const { apiKey, secret } = buildApiKey(deps.serverSecret, input, now);
  em.persist(apiKey);
  recordAuditEvent(
    em,
    {
      action: 'api-key.created',
      actorId,
      subjectId: null,
      detail: { apiKeyId: apiKey.id, scopes: apiKey.scopes, groupIds: apiKey.groupIds },
    },
    now,
  );
  await saveIdempotentResult(em, deps, operation, { storedResult: { apiKeyId: apiKey.id }, accountId: actorId });
  return { apiKey, secret };
}

function buildApiKey(
  serverSecret: ServerSecret,
  { name, scopes, groupIds, expiresAt }: CreateApiKeyParams,
  now: Date,
): CreatedApiKey {
  const id = newId();
  const secret = secretOf(serverSecret, id);
  const apiKey = Object.assign(new ApiKey(), {
    id,
    name: normalizeText(name),
    prefix: secret.slice(0, SHOWN_CHARACTERS),
    secretHash: hashOf(secret),
    scopes: [...new Set(scopes)],
    groupIds: groupIds === null ? null : [...new Set(groupIds)],
    createdAt: now,
    expiresAt,
    lastUsedAt: null,
  } satisfies ApiKey);
  return { apiKey, secret };
}

/** Derived instead of random, so that a lost response can be repeated although the secret is not stored. */
function secretOf(serverSecret: ServerSecret, id: string): string {
  return API_KEY_PREFIX + serverSecret.hmac('api-key', id).toString('base64url');
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares the hash, because another server secret derives another API key. */
async function restoreCreatedKey({ database, serverSecret }: CreateApiKeyDeps, id: string): Promise<CreatedApiKey> {
  const apiKey = await database.fork().findOne(ApiKey, id);
  const secret = secretOf(serverSecret, id);
  if (apiKey?.secretHash.equals(hashOf(secret)) !== true) throw new NotFoundError('API_KEY_NOT_FOUND');
  return { apiKey, secret };
}

function validateInput({ name, scopes, groupIds, expiresAt }: CreateApiKeyParams, now: Date): void {
  const isGroupCountValid = groupIds === null || (groupIds.length > 0 && groupIds.length <= MAX_GROUPS);
  new FieldErrorCollector()
    .check('name', validateText(name, { min: 1, max: MAX_NAME_CHARACTERS }))
    .check('scopes', scopes.length > 0 ? null : `must name at least one of ${API_KEY_SCOPES.join(', ')}`)
    .check(
      'groupIds',
      isGroupCountValid ? null : `must name 1 to ${MAX_GROUPS.toLocaleString('en')} groups, or be null for every group`,
    )
    .check('expiresAt', expiresAt === null ? null : futureTimeProblem(expiresAt, now))
    .throwIfAny();
}

/**
 * Rejects groups that do not exist. Takes no lock: a group may be deleted immediately afterwards, and the key then
 * grants nothing for it.
 */
async function validateGroups({ findMissingGroups }: CreateApiKeyDeps, groupIds: readonly string[]): Promise<void> {
  const missing = new Set(await findMissingGroups(groupIds));
  const errors = new FieldErrorCollector();
  groupIds.forEach((id, index) =>
    errors.check(`groupIds.${index}`, missing.has(id) ? 'must be a group that exists' : null),
  );
  errors.throwIfAny();
}
