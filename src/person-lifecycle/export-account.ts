import {
  ACCOUNT_SECTIONS,
  readSection,
  requireSelf,
  section,
  timeKey,
  type Actor,
  type Clock,
  type ExportSections,
} from '../accounts/index.js';
import { mapInSlices, type Database } from '../database/index.js';
import { encodeCursor, readCursor, type CursorCodec } from '../paging/index.js';

/** Rows per document of an export. */
export const MAX_EXPORT_ROWS = 2_000;

const VERIFIED_KEY = '(select email_key from account where id = $1 and email_verified_at is not null)';
const INVITATION = `
    i.id, i.group_id as "groupId", g.name as "groupName", i.email, i.status, i.created_at as "createdAt",
      i.expires_at as "expiresAt"`;
const INVITATIONS = 'invitation i join groups g on g.id = i.group_id';
const INVITATION_KEY = `${timeKey('i.created_at')} || i.id`;

/** Data of groups that concerns an account. */
const GROUP_SECTIONS: ExportSections = {
  memberships: section(
    'records_memberships',
    `
    m.group_id as "groupId", g.name as "groupName", m.role, m.status, m.invited_by_id as "invitedById",
      m.invited_at as "invitedAt", m.responded_at as "respondedAt", m.revision`,
    'member m join groups g on g.id = m.group_id where m.user_id = $1',
    `${timeKey('m.invited_at')} || m.group_id`,
  ),
  peopleInvited: section(
    'records_people_invited',
    'group_id as "groupId", user_id as "userId", invited_at as "invitedAt"',
    'member where invited_by_id = $1',
    `${timeKey('invited_at')} || user_id || group_id`,
  ),
  invitationsSent: section(
    'records_invitations_sent',
    INVITATION,
    `${INVITATIONS} where i.invited_by_id = $1`,
    INVITATION_KEY,
  ),
  invitationsReceived: section(
    'records_invitations_received',
    INVITATION,
    `${INVITATIONS} where i.email_key = ${VERIFIED_KEY}`,
    INVITATION_KEY,
  ),
  invitationMails: section(
    'records_invitation_mails',
    'coalesce(inviter_id = $1, false) as "sentByYou", email_key as "to", at',
    `invitation_mail where inviter_id = $1 or email_key = ${VERIFIED_KEY}`,
    `${timeKey('at')} || task_id`,
  ),
  changes: section(
    'records_changes',
    `
    group_id as "groupId", revision, cause, coalesce(actor_id = $1, false) as "madeByYou",
      coalesce(subject_id = $1, false) as "aboutYou", status, at`,
    'group_change where actor_id = $1 or subject_id = $1',
    `${timeKey('at')} || group_id || lpad(revision::text, 10, '0')`,
  ),
};

const PARTS = { account: ACCOUNT_SECTIONS, groups: GROUP_SECTIONS } as const;

/** All sections in the order of the export. */
const SECTIONS = Object.entries(PARTS).flatMap(([part, sections]) =>
  Object.entries(sections).map(([name, read]) => ({ part, name, read })),
);

/** Keyset position in an export: after the row with this sort key of a section. */
interface ExportPosition {
  readonly section: number;
  readonly after: string;
}

const EXPORT_CURSOR: CursorCodec<ExportPosition> = {
  encode: ({ section: index, after }) => [SECTIONS[index]?.name ?? '', after],
  decode: ([name = '', after = '', ...more]) => {
    const index = SECTIONS.findIndex((each) => each.name === name);
    return index === -1 || more.length > 0 || !/^[\da-f-]*$/.test(after) ? null : { section: index, after };
  },
};

interface ExportAccountDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Exports all data about the caller's account as JSON documents, without hashes and usable secrets.
 *
 * Each document holds at most `MAX_EXPORT_ROWS` rows. Its `next`, passed as `after`, returns the next document; it is
 * null in the last one. A section may continue in the next document.
 *
 * @param after null for the first document
 * @throws UnauthenticatedError when the caller is not the user
 * @throws InvalidInputError `INVALID_INPUT` for `after`
 */
export async function exportAccount(
  { database, clock }: ExportAccountDeps,
  actor: Actor,
  userId: string,
  after: string | null = null,
): Promise<unknown> {
  requireSelf(actor, userId);
  const exportedAt = clock.now();
  const from = readCursor(after, EXPORT_CURSOR) ?? { section: 0, after: '' };
  const document: Record<string, Record<string, readonly object[]>> = { account: {}, groups: {} };
  let left = MAX_EXPORT_ROWS;
  // Sequentially: a rare export must not take several connections from other requests.
  for (const [index, { part, name, read }] of SECTIONS.entries()) {
    if (index < from.section) continue;
    const { rows, next } = await readSection(database, read, userId, index === from.section ? from.after : '', left);
    document[part] = { ...document[part], [name]: await mapInSlices(rows, toPlainJson) };
    left -= rows.length;
    if (next !== null)
      return {
        ...toPlainJson({ exportedAt }),
        ...document,
        next: encodeCursor(EXPORT_CURSOR, { section: index, after: next }),
      };
  }
  return { ...toPlainJson({ exportedAt }), ...document, next: null };
}

/** Converts a record to plain JSON, in which times are text. */
function toPlainJson(record: object): object {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- an object is an object in JSON too
  return JSON.parse(JSON.stringify(record)) as object;
}
