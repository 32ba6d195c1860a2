import {
  columnsSql,
  pagedStatement,
  statement,
  statementFor,
  type Database,
  type SqlOrder,
} from '../../database/index.js';
import { FieldErrorCollector } from '../../errors/index.js';
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
import { VIEWER_COLUMNS } from '../identity/account-loaders.js';
import { Account } from '../identity/account.entity.js';
import { requireAdmin, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { emailKey } from '../input/email.js';
import { validateStorableText } from '../input/text-validation.js';
import { usernameKey } from '../input/username.js';
import type { AccountView } from './account-view.js';

export interface ListAccountsDeps extends GetViewerDeps {
  readonly database: Database;
}

export interface ListAccountsParams extends PageRequest {
  /** Prefix of a username or email address, case-insensitive; null, absent or empty for all accounts. */
  readonly search?: string | null | undefined;
}

const COLUMNS = `${VIEWER_COLUMNS}, ${columnsSql(Account, 'account', ['lastLoginAt'])},
    disabled_at is not null as disabled`;
const IN_RANGE = `deleted_at is null and (created_at, id) > ($1::timestamptz, $2::uuid)
    and (created_at, id) < ($3::timestamptz, $4::uuid)`;
const limitedIn = (order: SqlOrder): string => `order by created_at ${order}, id ${order} limit $5`;

/**
 * SQL for the accounts whose username or email address has a prefix, each found by its own index.
 *
 * `offset 0` keeps the range of a page outside. Reason: a generic plan takes any range for a narrow one, and would read
 * the whole index of the order beside that of the prefix.
 *
 * @param bounds SQL parameters: lower and upper bound of the usernames, then of the addresses. Reason: a generic plan
 *   uses no index for LIKE, because the pattern could begin with a wildcard.
 */
function accountsByPrefixSql([from, to, fromEmail, toEmail]: readonly [string, string, string, string]): string {
  const isByName = `username_key ~>=~ ${from} and username_key ~<~ ${to}`;
  return `(
    select * from account where ${isByName} and deleted_at is null
    union all
    select * from account
    where email_key ~>=~ ${fromEmail} and email_key ~<~ ${toEmail} and not (${isByName}) and deleted_at is null
    offset 0
  ) account`;
}

const PAGE = pagedStatement<AccountView>(
  'accounts_page',
  'desc',
  (order) => `select ${COLUMNS} from account where ${IN_RANGE} ${limitedIn(order)}`,
);
const COUNT = statement<{ count: number }>(
  'accounts_count',
  'select count(*)::integer as count from account where deleted_at is null',
);
const PAGE_FOUND = pagedStatement<AccountView>(
  'accounts_page_found',
  'desc',
  (order) => `
  select ${COLUMNS} from ${accountsByPrefixSql(['$6', '$7', '$8', '$9'])} where ${IN_RANGE} ${limitedIn(order)}`,
);
const COUNT_FOUND = statement<{ count: number }>(
  'accounts_count_found',
  `
  select count(*)::integer as count from ${accountsByPrefixSql(['$1', '$2', '$3', '$4'])}`,
);

/** Length of the longest username or address. */
const MAX_SEARCH_LENGTH = 254;

/**
 * Lists all accounts, newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page or `search`
 */
export async function listAccounts(
  deps: ListAccountsDeps,
  actor: AdminActor,
  request: ListAccountsParams,
): Promise<ConnectionPage<AccountView>> {
  await requireAdmin(deps, actor);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const bounds = boundsOf(request.search ?? '');
  const keyset = [...rangeOf(page, 'descending'), page.size + 1];
  const statements = bounds.length === 0 ? PAGE : PAGE_FOUND;
  const [rows, [total]] = await Promise.all([
    readRows(page, () => deps.database.query(statementFor(page, statements), [...keyset, ...bounds])),
    deps.database.query(bounds.length === 0 ? COUNT : COUNT_FOUND, bounds),
  ]);
  return toConnectionPage(page, rows, total?.count ?? 0, ({ createdAt: at, id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at, id }),
  );
}

/** Bounds of the usernames and addresses with the prefix; empty for an empty prefix. */
function boundsOf(search: string): string[] {
  new FieldErrorCollector()
    .check(
      'search',
      search.length > MAX_SEARCH_LENGTH
        ? `must be at most ${MAX_SEARCH_LENGTH} characters`
        : validateStorableText(search),
    )
    .throwIfAny();
  return search === '' ? [] : [usernameKey(search), emailKey(search)].flatMap((prefix) => [prefix, upperBound(prefix)]);
}

/** Appends the highest code point. The index compares bytes, and the byte order of UTF-8 is that of code points. */
function upperBound(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
