import type { EntityManager } from '@mikro-orm/postgresql';
import {
  findIdempotentResult,
  lockIdempotencyKey,
  normalizeText,
  requireAuthenticated,
  saveIdempotentResult,
  validateText,
  type Actor,
  type AuthenticatedActor,
  type IdempotencyDeps,
  type IdempotentOperation,
} from '../../accounts/index.js';
import { ConflictError, FieldErrorCollector, ForbiddenError } from '../../errors/index.js';
import { requireGroupAllowedByKey, requireScope, type Caller } from '../access/authorization.js';
import { CompatibilityScore } from '../model/compatibility-score.entity.js';
import { toGroupView } from '../model/group-view.js';
import { toScoreView } from '../model/score-view.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type GroupPayload,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { storeScore } from './store-score.js';

const MIN_SCORE = 0;
const MAX_SCORE = 100;
const MAX_SOURCE_LENGTH = 80;

export interface RecordCompatibilityScoreParams {
  readonly groupId: string;
  /** 0 to 100 inclusive. */
  readonly value: number;
  /** Names what computed the score, 1 to 80 characters. */
  readonly source: string;
}

interface RecordScoreDeps extends GroupWriteDeps, IdempotencyDeps {}

/**
 * Records a score that was computed elsewhere, as the group's current score. Earlier scores stay in the score history.
 * The group's revision does not change.
 *
 * An API key records a score by one statement. A user needs a right that is read in the transaction that uses it, and
 * an Idempotency-Key a result that is saved in it.
 *
 * A repeated request with the same Idempotency-Key records nothing and returns the group in its current state.
 *
 * @param operation null without an Idempotency-Key
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` with all invalid fields
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `ADMIN_REQUIRED`; `SCOPE_REQUIRED` for an API client
 * @throws ConflictError `GROUP_CANCELLED`
 */
export async function recordCompatibilityScore(
  deps: RecordScoreDeps,
  actor: Actor,
  params: RecordCompatibilityScoreParams,
  operation: IdempotentOperation | null = null,
): Promise<GroupPayload> {
  const authenticated = requireAuthenticated(actor);
  validateScore(params);
  const recorded =
    operation === null && mayScoreByKey(authenticated) ? await recordByKey(deps, authenticated, params) : null;
  return recorded ?? recordUnderLock(deps, authenticated, params, operation);
}

function mayScoreByKey(actor: AuthenticatedActor): boolean {
  return actor.kind === 'service' && actor.scopes.includes('scores:write');
}

/** @returns null when the score has to be recorded, or rejected, under the group's row lock; nothing was stored then */
async function recordByKey(
  { database, writeQueue, clock }: RecordScoreDeps,
  actor: AuthenticatedActor,
  { groupId, value, source }: RecordCompatibilityScoreParams,
): Promise<GroupPayload | null> {
  requireGroupAllowedByKey(actor, groupId);
  const recorded = await writeQueue.run(groupId, () =>
    storeScore(database, {
      groupId,
      value: withoutNegativeZero(value),
      source: normalizeText(source),
      scoredAt: clock.now(),
    }),
  );
  if (recorded === null) return null;
  const { group, score } = recorded;
  const compatibilityScore = toScoreView(score, group);
  return { group: toGroupView(group, clock.now(), { viewerMembership: null, compatibilityScore }) };
}

function withoutNegativeZero(value: number): number {
  return value + 0;
}

async function recordUnderLock(
  deps: RecordScoreDeps,
  actor: AuthenticatedActor,
  params: RecordCompatibilityScoreParams,
  operation: IdempotentOperation | null,
): Promise<GroupPayload> {
  const storedResult = await findIdempotentResult(deps, operation);
  return withLockedGroup(deps, actor, params, async (tx) => {
    const { em, group, now } = tx;
    await requireMayScore(tx.caller);
    if (storedResult !== null) return { group: toCallerGroupView(tx) };
    await lockIdempotencyKey(em, deps, operation);
    if (group.cancelledAt !== null) throw new ConflictError('GROUP_CANCELLED');
    const score = em.create(CompatibilityScore, {
      groupId: group.id,
      sequence: await nextSequence(em, group.id),
      value: withoutNegativeZero(params.value),
      source: normalizeText(params.source),
      scoredAt: now,
      answersRevision: group.answersRevision,
    });
    em.persist(score);
    await saveIdempotentResult(em, deps, operation, {
      storedResult: { sequence: score.sequence },
      accountId: actor.kind === 'user' ? actor.userId : null,
    });
    return { group: toCallerGroupView(tx, { compatibilityScore: toScoreView(score, group) }) };
  });
}

function validateScore({ value, source }: RecordCompatibilityScoreParams): void {
  // False for NaN.
  const inRange = value >= MIN_SCORE && value <= MAX_SCORE;
  new FieldErrorCollector()
    .check('value', inRange ? null : `must be a number from ${MIN_SCORE} to ${MAX_SCORE}`)
    .check('source', validateText(source, { min: 1, max: MAX_SOURCE_LENGTH }))
    .throwIfAny();
}

async function requireMayScore(caller: Caller): Promise<void> {
  if (caller.kind === 'service') requireScope(caller.actor, 'scores:write');
  else if (!(await caller.isAdmin())) throw new ForbiddenError('ADMIN_REQUIRED');
}

/** Requires the group's row lock, so that concurrent writers do not take the same number. */
async function nextSequence(em: EntityManager, groupId: string): Promise<number> {
  const last = await em.findOne(CompatibilityScore, { groupId }, { orderBy: { sequence: 'desc' } });
  return (last?.sequence ?? 0) + 1;
}
