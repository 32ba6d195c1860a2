import {
  claimKeySql,
  newId,
  throwKeyConflict,
  toKeyClaim,
  type IdempotencyDeps,
  type IdempotentOperation,
} from '../../accounts/index.js';
import { statement } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { copyGroupFields, type MemberView, type StoredGroup } from '../model/group-view.js';
import { copyCounts } from '../model/response-counts.js';
import type { NewGroupChange } from '../transaction/group-ledger.js';
import { insertChangesSql, revisionColumns } from '../transaction/insert-changes-sql.js';
import { RECORD_DEADLINE_TASK } from './record-deadline.js';

/** A new group, its owner and its first revision. */
export interface NewGroup {
  readonly group: StoredGroup;
  readonly owner: MemberView;
  readonly revisions: readonly NewGroupChange[];
}

/**
 * The `FOR SHARE` row lock keeps the owner's account enabled until the commit. Reason: a token stays accepted for up to
 * 1 s after its account is disabled or deleted, until every process has learned of the revocation.
 *
 * The repetition after a lost connection finds the id and inserts nothing.
 */
const CREATE_GROUP = statement<{ readonly isActive: boolean; readonly isCreated: boolean }>(
  'create_group',
  `
  with active as (
    select id from account where id = $2 and disabled_at is null for share
  ), ${claimKeySql('$1', 'exists (select from active)')}, created as (
    insert into groups (id, name, description, quorum, respond_by, required_at_deadline, cancelled_at, state,
      state_changed_at, created_at, revision, answers_revision, pending_count, accepted_count, tentative_count,
      declined_count, open_invitations, lapsed_invitations)
    select g.* from active cross join permitted cross join json_to_record($3::json) as g (
      id uuid, name text, description text, quorum integer, "respondBy" timestamptz, "requiredAtDeadline" integer,
      "cancelledAt" timestamptz, state text, "stateChangedAt" timestamptz, "createdAt" timestamptz, revision integer,
      "answersRevision" integer, pending integer, accepted integer, tentative integer, declined integer,
      "openInvitations" integer, "lapsedInvitations" integer)
    on conflict (id) do nothing
    returning id, created_at, respond_by
  ), owner as (
    insert into member (group_id, user_id, role, status, invited_at, responded_at, revision)
    select created.id, m.* from created cross join json_to_record($4::json) as m (
      "userId" uuid, role text, status text, "invitedAt" timestamptz, "respondedAt" timestamptz, revision integer)
  ), recorded as (${insertChangesSql('created', '$5')}
  ), enqueued as (
    insert into outbox_task (id, name, payload, status, attempts, created_at, due_at)
    select $6, '${RECORD_DEADLINE_TASK}', jsonb_build_object('groupId', id), 'QUEUED', 0, created_at, respond_by
    from created where respond_by is not null
  )
  select exists (select from active) as "isActive",
    exists (select from created) or exists (select from groups where id = $7) as "isCreated"`,
);

/**
 * Stores a new group with its owner, its first revision and the task of its deadline, by one statement.
 *
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the owner's account does not exist or is disabled
 * @throws ConflictError `REQUEST_IN_PROGRESS` when the Idempotency-Key is in use
 * @throws InvalidInputError `IDEMPOTENCY_KEY_REUSED`
 */
export async function storeGroup(
  deps: IdempotencyDeps,
  { group, owner, revisions }: NewGroup,
  operation: IdempotentOperation | null,
): Promise<void> {
  const { userId, role, status, invitedAt, respondedAt } = owner;
  const values = [
    toKeyClaim(deps, operation, { storedResult: { groupId: group.id }, accountId: userId }),
    userId,
    JSON.stringify({ ...copyGroupFields(group), ...copyCounts(group.counts) }),
    JSON.stringify({ userId, role, status, invitedAt, respondedAt, revision: owner.revision }),
    JSON.stringify(revisions.map(revisionColumns)),
    newId(),
    group.id,
  ];
  const [stored] = await deps.database.write(CREATE_GROUP, values, { idempotent: true });
  if (stored?.isActive !== true) throw new UnauthenticatedError('TOKEN_REVOKED');
  if (!stored.isCreated) await throwKeyConflict(deps, operation);
}
