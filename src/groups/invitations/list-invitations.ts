import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { statement } from '../../database/index.js';
import {
  encodeCursor,
  parsePageRequest,
  placeAfter,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../model/group-view.js';
import type { InvitationView } from './invitation-view.js';
import { INVITATION_COLUMNS } from './invitations-loader.js';

const OPEN_TO_VERIFIED = `
  from account a join invitation i on i.email_key = a.email_key and i.status = 'OPEN' and i.expires_at > $2
  where a.id = $1 and a.email_verified_at is not null`;

const INBOX = statement<InvitationView>(
  'inbox',
  `
  select ${INVITATION_COLUMNS} ${OPEN_TO_VERIFIED}
    and (i.created_at, i.id) > ($3::timestamptz, $4::uuid)
  order by i.created_at, i.id limit $5`,
);

const INBOX_COUNT = statement<{ count: number }>(
  'inbox_count',
  `select count(*)::integer as count ${OPEN_TO_VERIFIED}`,
);

/**
 * The invitations of a group that nobody has answered, expired ones among them, oldest first.
 *
 * The total is the group's own count, as of when the group was read.
 *
 * @returns null for callers who may not see addresses: those who neither own the group nor administer
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listGroupInvitations(
  deps: Pick<GroupsDeps, 'loaders'>,
  actor: Actor,
  group: GroupView,
  request: PageRequest,
): Promise<ConnectionPage<InvitationView> | null> {
  const known = requireAuthenticated(actor);
  if (known.kind === 'service') return null;
  const key = await deps.loaders.groupSeenBy({ groupId: group.id, callerId: known.userId });
  if (key?.membership?.role !== 'OWNER' && key?.callerIsAdmin !== true) return null;
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const found = await readRows(page, () => deps.loaders.invitations({ groupId: group.id, ...page }));
  return toConnectionPage(page, found, group.counts.openInvitations + group.counts.lapsedInvitations, cursorOf);
}

/**
 * What is open to a person's verified address, oldest first; empty without one.
 *
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listInbox(
  { database, clock }: Pick<GroupsDeps, 'database' | 'clock'>,
  userId: string,
  request: PageRequest,
): Promise<ConnectionPage<InvitationView>> {
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const open = [userId, clock.now()];
  const [found, [total]] = await Promise.all([
    readRows(page, () => database.query(INBOX, [...open, ...placeAfter(page.after, 'ascending'), page.first + 1])),
    database.query(INBOX_COUNT, open),
  ]);
  return toConnectionPage(page, found, total?.count ?? 0, cursorOf);
}

function cursorOf({ createdAt: at, id }: InvitationView): string {
  return encodeCursor(TIMESTAMP_CURSOR, { at, id });
}
