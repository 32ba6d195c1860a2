import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction } from '../../database/index.js';
import { FieldErrorCollector, NotFoundError } from '../../errors/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import {
  findIdempotentResult,
  lockIdempotencyKey,
  readResultId,
  saveIdempotentResult,
  type IdempotencyDeps,
  type IdempotentOperation,
} from '../idempotency/idempotency.js';
import { OPERATOR, requireAdmin, requireAdminInTransaction, type AdminActor } from '../identity/admin-guard.js';
import { API_KEY_SCOPES, type ApiKeyScope } from '../identity/api-key-scope.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { newId } from '../identity/new-id.js';
import { futureTimeProblem } from '../input/future-time.js';
import { normalizeText, validateText } from '../input/text-validation.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { ApiKey } from './api-key.entity.js';

/** What every API key begins with, so that people and secret scanners recognise one. */
export const API_KEY_PREFIX = 'cvn_';
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;
const LONGEST_NAME = 80;
const MOST_GROUPS = 1_000;

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
  /** What is kept is its hash; it can be seen again only by repeating the request under its Idempotency-Key. */
  readonly secret: string;
}

/** Port that the groups implement. @returns those of the ids that are no group's */
export type FindMissingGroups = (groupIds: readonly string[]) => Promise<readonly string[]>;

export interface CreateApiKeyDeps extends GetViewerDeps, IdempotencyDeps {
  readonly findMissingGroups: FindMissingGroups;
}

/** Makes a key for whoever runs commands, as `createApiKeyAsAdmin` says. */
export function createApiKey(deps: CreateApiKeyDeps, input: CreateApiKeyParams): Promise<CreatedApiKey> {
  return createApiKeyAsAdmin(deps, OPERATOR, input);
}

/**
 * Makes a key for a program, for an administrator.
 *
 * The same request under the same Idempotency-Key gives the same key and secret again.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws InvalidInputError for a name, scopes, groups or expiry that cannot be; `groupIds.<index>` for each group that does not exist
 * @throws NotFoundError `API_KEY_NOT_FOUND` for a repeated request whose key was revoked since, or was made under another server secret
 */
export async function createApiKeyAsAdmin(
  deps: CreateApiKeyDeps,
  by: AdminActor,
  input: CreateApiKeyParams,
  repeatable: IdempotentOperation | null = null,
): Promise<CreatedApiKey> {
  await requireAdmin(deps, by);
  const storedResult = await findIdempotentResult(deps, repeatable);
  if (storedResult !== null) return createdBefore(deps, readResultId(storedResult, 'apiKeyId'));
  checkInput(input, deps.clock.now());
  await checkGroups(deps, input.groupIds ?? []);
  return inTransaction(deps.database, (em) => store(em, deps, input, { by, repeatable }));
}

interface Asked {
  readonly by: AdminActor;
  readonly repeatable: IdempotentOperation | null;
}

async function store(
  em: EntityManager,
  deps: CreateApiKeyDeps,
  input: CreateApiKeyParams,
  { by, repeatable }: Asked,
): Promise<CreatedApiKey> {
  const actorId = await requireAdminInTransaction(em, by);
  await lockIdempotencyKey(em, deps, repeatable);
  const now = deps.clock.now();
  const { apiKey, secret } = newKey(deps.serverSecret, input, now);
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
  await saveIdempotentResult(em, deps, repeatable, { storedResult: { apiKeyId: apiKey.id }, accountId: actorId });
  return { apiKey, secret };
}

function newKey(
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

/** Derived and not random, so that a lost answer can be given again although nothing of it is kept. */
function secretOf(serverSecret: ServerSecret, id: string): string {
  return API_KEY_PREFIX + serverSecret.hmac('api-key', id).toString('base64url');
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** What would be shown must be what works: under another server secret the key's own cannot be made again. */
async function createdBefore({ database, serverSecret }: CreateApiKeyDeps, id: string): Promise<CreatedApiKey> {
  const apiKey = await database.fork().findOne(ApiKey, id);
  const secret = secretOf(serverSecret, id);
  if (apiKey?.secretHash.equals(hashOf(secret)) !== true) throw new NotFoundError('API_KEY_NOT_FOUND');
  return { apiKey, secret };
}

function checkInput({ name, scopes, groupIds, expiresAt }: CreateApiKeyParams, now: Date): void {
  const groupsAreRight = groupIds === null || (groupIds.length > 0 && groupIds.length <= MOST_GROUPS);
  new FieldErrorCollector()
    .check('name', validateText(name, { min: 1, max: LONGEST_NAME }))
    .check('scopes', scopes.length > 0 ? null : `must name at least one of ${API_KEY_SCOPES.join(', ')}`)
    .check(
      'groupIds',
      groupsAreRight ? null : `must name 1 to ${MOST_GROUPS.toLocaleString('en')} groups, or be null for every group`,
    )
    .check('expiresAt', expiresAt === null ? null : futureTimeProblem(expiresAt, now))
    .throwIfAny();
}

/**
 * A key for a group that does not exist would be silently useless.
 *
 * Only looked at, and not held: a group may go as soon as the key is made, and then the key opens nothing.
 */
async function checkGroups({ findMissingGroups }: CreateApiKeyDeps, groupIds: readonly string[]): Promise<void> {
  const missing = new Set(await findMissingGroups(groupIds));
  const faults = new FieldErrorCollector();
  groupIds.forEach((id, index) =>
    faults.check(`groupIds.${index}`, missing.has(id) ? 'must be a group that exists' : null),
  );
  faults.throwIfAny();
}
