import { requireAuthenticated, type Actor, type Clock } from '../../accounts/index.js';
import { pagedStatement, statement, statementFor, type Database } from '../../database/index.js';
import {
  encodeCursor,
  parsePageRequest,
  rangeOf,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import type { GroupDetailsLoaders } from '../access/group-details-loader.js';
import type { GroupView } from '../model/group-view.js';
import type { InvitationView } from './invitation-view.js';
import { INVITATION_COLUMNS, type InvitationsLoaders } from './invitations-loader.js';

const OPEN_TO_VERIFIED = `
  from account a join invitation i on i.email_key = a.email_key and i.status = 'OPEN' and i.expires_at > $2
  where a.id = $1 and a.email_verified_at is not null`;

const INBOX = pagedStatement<InvitationView>(
  'inbox',
  'asc',
  (order) => `
  select ${INVITATION_COLUMNS} ${OPEN_TO_VERIFIED}
    and (i.created_at, i.id) > ($3::timestamptz, $4::uuid) and (i.created_at, i.id) < ($5::timestamptz, $6::uuid)
  order by i.created_at ${order}, i.id ${order} limit $7`,
);

const INBOX_COUNT = statement<{ count: number }>(
  'inbox_count',
  `select count(*)::integer as count ${OPEN_TO_VERIFIED}`,
);

/**
 * Lists the unanswered invitations of a group, including expired ones, oldest first. The total is the group's count
 * from when the group was read.
 *
 * @returns null for callers who may not see addresses; only owners and administrators may
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 */
export async function listGroupInvitations(
  deps: { readonly loaders: GroupDetailsLoaders & InvitationsLoaders },
  actor: Actor,
  group: GroupView,
  request: PageRequest,
): Promise<ConnectionPage<InvitationView> | null> {
  const caller = requireAuthenticated(actor);
  if (caller.kind === 'service') return null;
  const access = await deps.loaders.groupDetails({ groupId: group.id, callerId: caller.userId });
  if (access?.membership?.role !== 'OWNER' && access?.callerIsAdmin !== true) return null;
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const found = await readRows(page, () => deps.loaders.invitations({ groupId: group.id, ...page }));
  return toConnectionPage(page, found, group.counts.openInvitations + group.counts.lapsedInvitations, cursorOf);
}

interface ListInboxDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Lists the open invitations to a user's verified address, oldest first. Empty without a verified address.
 *
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 */
export async function listInbox(
  { database, clock }: ListInboxDeps,
  userId: string,
  request: PageRequest,
): Promise<ConnectionPage<InvitationView>> {
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const filter = [userId, clock.now()];
  const keyset = [...rangeOf(page, 'ascending'), page.size + 1];
  const [found, [total]] = await Promise.all([
    readRows(page, () => database.query(statementFor(page, INBOX), [...filter, ...keyset])),
    database.query(INBOX_COUNT, filter),
  ]);
  return toConnectionPage(page, found, total?.count ?? 0, cursorOf);
}

function cursorOf({ createdAt: at, id }: InvitationView): string {
  return encodeCursor(TIMESTAMP_CURSOR, { at, id });
}
