import type { EntityManager } from '@mikro-orm/postgresql';
import {
  findIdempotentResult,
  lockIdempotencyKey,
  normalizeText,
  requireAuthenticated,
  saveIdempotentResult,
  validateText,
  type Actor,
  type IdempotentOperation,
} from '../../accounts/index.js';
import { ConflictError, FieldErrorCollector, ForbiddenError } from '../../errors/index.js';
import { requireScope, type Caller } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import { CompatibilityScore } from '../model/compatibility-score.entity.js';
import { toScoreView } from '../model/score-view.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import { toCallerGroupView, withLockedGroup } from '../transaction/with-locked-group.js';

const LOWEST_SCORE = 0;
const HIGHEST_SCORE = 100;
const LONGEST_SOURCE = 80;

export interface RecordCompatibilityScoreParams {
  readonly groupId: string;
  /** 0 to 100 inclusive. */
  readonly value: number;
  /** Who or what computed it, 1 to 80 characters. */
  readonly source: string;
}

/**
 * Stores a score that was computed elsewhere. It replaces the last one, which its history keeps; it is no revision
 * of the group.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` naming every faulty field
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `ADMIN_REQUIRED`, or `SCOPE_REQUIRED` for a program
 * @throws ConflictError `GROUP_CANCELLED`
 */
export async function recordCompatibilityScore(
  deps: GroupsDeps,
  actor: Actor,
  input: RecordCompatibilityScoreParams,
  repeatable: IdempotentOperation | null = null,
): Promise<GroupPayload> {
  const known = requireAuthenticated(actor);
  checkInput(input);
  const made = await findIdempotentResult(deps, repeatable);
  return withLockedGroup(deps, known, input, async (tx) => {
    const { em, group, now } = tx;
    await requireMayScore(tx.caller);
    if (made !== null) return { group: toCallerGroupView(tx) };
    await lockIdempotencyKey(em, deps, repeatable);
    if (group.cancelledAt !== null) throw new ConflictError('GROUP_CANCELLED');
    const score = em.create(CompatibilityScore, {
      groupId: group.id,
      sequence: await nextSequence(em, group.id),
      // A negative zero becomes a plain one.
      value: input.value + 0,
      source: normalizeText(input.source),
      scoredAt: now,
      answersRevision: group.answersRevision,
    });
    em.persist(score);
    await saveIdempotentResult(em, deps, repeatable, {
      storedResult: { sequence: score.sequence },
      accountId: actor.kind === 'user' ? actor.userId : null,
    });
    return { group: toCallerGroupView(tx, { compatibilityScore: toScoreView(score, group) }) };
  });
}

function checkInput({ value, source }: RecordCompatibilityScoreParams): void {
  // No comparison holds for NaN.
  const inRange = value >= LOWEST_SCORE && value <= HIGHEST_SCORE;
  new FieldErrorCollector()
    .check('value', inRange ? null : `must be a number from ${LOWEST_SCORE} to ${HIGHEST_SCORE}`)
    .check('source', validateText(source, { min: 1, max: LONGEST_SOURCE }))
    .throwIfAny();
}

async function requireMayScore(caller: Caller): Promise<void> {
  if (caller.kind === 'service') requireScope(caller.actor, 'scores:write');
  else if (!(await caller.isAdmin())) throw new ForbiddenError('ADMIN_REQUIRED');
}

/** The group's lock keeps two writers from taking the same number. */
async function nextSequence(em: EntityManager, groupId: string): Promise<number> {
  const last = await em.findOne(CompatibilityScore, { groupId }, { orderBy: { sequence: 'desc' } });
  return (last?.sequence ?? 0) + 1;
}
