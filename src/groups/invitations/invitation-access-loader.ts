import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import type { GroupRole } from '../model/member.entity.js';
import { toInvitationView, type InvitationView } from './invitation-view.js';
import type { InvitationStatus } from './invitation.entity.js';
import { INVITATION_COLUMNS } from './invitations-loader.js';

interface InvitationAccessKey {
  readonly invitationId: string;
  readonly callerId: string;
}

/** An invitation with the facts that decide on the caller's access. */
interface InvitationAccess extends InvitationAccessKey {
  readonly invitation: InvitationView;
  readonly status: InvitationStatus;
  /** The caller's role in the group of the invitation; null for a non-member. */
  readonly callerRole: GroupRole | null;
  readonly callerIsAdmin: boolean;
  /** Whether the invited address is the caller's verified address. */
  readonly isToCaller: boolean;
}

export interface InvitationAccessLoaders {
  /** Loads null when the invitation does not exist. */
  readonly invitationAccess: BatchLoader<InvitationAccessKey, InvitationAccess>;
}

interface InvitationAccessRow
  extends
    InvitationView,
    Pick<InvitationAccess, 'callerId' | 'status' | 'callerRole' | 'callerIsAdmin' | 'isToCaller'> {}

const INVITATION_ACCESS = statement<InvitationAccessRow>(
  'invitation_access',
  `
  select ${INVITATION_COLUMNS}, i.status, key.caller_id as "callerId", m.role as "callerRole",
    a.disabled_at is null and 'ADMIN' = any(a.roles) as "callerIsAdmin",
    coalesce(a.email_verified_at is not null and a.email_key = i.email_key, false) as "isToCaller"
  from unnest($1::uuid[], $2::uuid[]) as key (invitation_id, caller_id)
  join invitation i on i.id = key.invitation_id
  join account a on a.id = key.caller_id
  left join member m on m.group_id = i.group_id and m.user_id = a.id`,
);

export function createInvitationAccessLoader(database: Database): InvitationAccessLoaders['invitationAccess'] {
  return createBatchLoader(
    async (keys: readonly InvitationAccessKey[]) => {
      const invitationIds = keys.map(({ invitationId }) => invitationId);
      const callerIds = keys.map(({ callerId }) => callerId);
      return (await database.query(INVITATION_ACCESS, [invitationIds, callerIds])).map(invitationAccessFromRow);
    },
    toCacheKey,
    toCacheKey,
  );
}

function toCacheKey({ invitationId, callerId }: InvitationAccessKey): string {
  return `${invitationId} ${callerId}`;
}

function invitationAccessFromRow(row: InvitationAccessRow): InvitationAccess {
  const { id: invitationId, callerId, status, callerRole, callerIsAdmin, isToCaller } = row;
  return { invitationId, callerId, status, callerRole, callerIsAdmin, isToCaller, invitation: toInvitationView(row) };
}
