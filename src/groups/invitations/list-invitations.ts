import { type Actor, requireKnown } from '../../accounts/index.js';
import {
  checkPage, type CheckedPage, type ConnectionPage, connectionPage, type CursorForm, type Database, type PageRequest, statement, writeCursor,
} from '../../database/index.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../group-view.js';
import type { InvitationView } from './invitation-view.js';

interface InvitationRow extends InvitationView {
  readonly total: string;
}

interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

const COLUMNS = `i.id, i.group_id as "groupId", i.email, i.invited_by_id as "invitedById", i.created_at as "createdAt", i.expires_at as "expiresAt"`;
const PAGE = `and ($3::timestamptz is null or (i.created_at, i.id) > ($3, $4::uuid)) order by i.created_at, i.id limit $5`;

const OF_GROUP = statement<InvitationRow>('invitations_of_group', `
  select ${COLUMNS}, (select count(*) from invitation where group_id = $1 and status = any($2::text[])) as total
  from invitation i where i.group_id = $1 and i.status = any($2::text[]) ${PAGE}`);

const OF_VIEWER = statement<InvitationRow>('invitations_of_viewer', `
  with inbox as (
    select i.* from account a join invitation i on i.email_key = a.email_key and i.status = 'OPEN' and i.expires_at > $2
    where a.id = $1 and a.email_verified_at is not null
  )
  select ${COLUMNS}, (select count(*) from inbox) as total from inbox i where true ${PAGE}`);

const UNANSWERED = ['OPEN', 'LAPSED'];

/**
 * The invitations of a group that nobody has answered, expired ones among them, oldest first.
 *
 * @returns null for callers who may not see addresses: those who neither own the group nor administer
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listGroupInvitations(
  deps: Pick<GroupsDeps, 'database' | 'reads'>,
  actor: Actor,
  group: GroupView,
  request: PageRequest,
): Promise<ConnectionPage<InvitationView> | null> {
  const known = requireKnown(actor);
  if (known.kind === 'service') return null;
  const sight = await deps.reads.groupSeenBy({ groupId: group.id, callerId: known.userId });
  if (sight?.membership?.role !== 'OWNER' && sight?.callerIsAdmin !== true) return null;
  return readPage(deps.database, OF_GROUP, [group.id, UNANSWERED], request);
}

/**
 * What is open to a person's verified address, oldest first; empty without one.
 *
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listInbox(
  deps: Pick<GroupsDeps, 'database' | 'clock'>,
  userId: string,
  request: PageRequest,
): Promise<ConnectionPage<InvitationView>> {
  return readPage(deps.database, OF_VIEWER, [userId, deps.clock.now()], request);
}

async function readPage(
  database: Database,
  read: typeof OF_GROUP,
  whose: readonly unknown[],
  request: PageRequest,
): Promise<ConnectionPage<InvitationView>> {
  const page: CheckedPage<Place> = checkPage(request, PLACE_CURSOR);
  const rows = await database.read(read, [...whose, page.after?.createdAt ?? null, page.after?.id ?? null, page.first + 1]);
  return connectionPage(page, rows, Number(rows[0]?.total ?? 0), (row) => writeCursor(PLACE_CURSOR, row));
}

const MILLISECONDS = /^\d{1,15}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const PLACE_CURSOR: CursorForm<Place> = {
  write: ({ createdAt, id }) => [String(createdAt.getTime()), id],
  read: ([time = '', id = '', ...more]) =>
    MILLISECONDS.test(time) && UUID.test(id) && more.length === 0 ? { createdAt: new Date(Number(time)), id } : null,
};
