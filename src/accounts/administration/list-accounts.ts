import { statement } from '../../database/index.js';
import { FieldErrorCollector } from '../../errors/index.js';
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
import type { AccountsDeps } from '../deps.js';
import { emailKey } from '../input/email.js';
import { validateStorableText } from '../input/text-validation.js';
import { usernameKey } from '../input/username.js';
import type { AccountView } from './account-view.js';
import { requireAdmin, type AdminActor } from './admin-guard.js';

export interface ListAccountsParams extends PageRequest {
  /** How a username or an email address begins, in any case; null, absent or empty for all. */
  readonly search?: string | null | undefined;
}

const COLUMNS = `id, username, display_name as "displayName", email, email_verified_at is not null as "emailVerified", roles,
    disabled_at is not null as disabled, created_at as "createdAt", last_login_at as "lastLoginAt"`;
const FOLLOWING = 'deleted_at is null and (created_at, id) < ($1::timestamptz, $2::uuid)';
const IN_ORDER = 'order by created_at desc, id desc limit $3';

/**
 * SQL for the accounts whose username or address begins with a text, each kind by its own index. The bounds of the ranges are
 * parameters: a generic plan uses no index for LIKE, since the pattern could begin with a wildcard.
 *
 * @param bounds parameters: from and to of the usernames, then of the addresses
 */
function foundSql([from, to, fromEmail, toEmail]: readonly [string, string, string, string]): string {
  const isByName = `username_key ~>=~ ${from} and username_key ~<~ ${to}`;
  return `(
    select * from account where ${isByName} and deleted_at is null
    union all
    select * from account where email_key ~>=~ ${fromEmail} and email_key ~<~ ${toEmail} and not (${isByName}) and deleted_at is null) found`;
}

const PAGE = statement<AccountView>('accounts_page', `select ${COLUMNS} from account where ${FOLLOWING} ${IN_ORDER}`);
const COUNT = statement<{ count: number }>(
  'accounts_count',
  'select count(*)::integer as count from account where deleted_at is null',
);
const PAGE_FOUND = statement<AccountView>(
  'accounts_page_found',
  `
  select ${COLUMNS} from ${foundSql(['$4', '$5', '$6', '$7'])} where ${FOLLOWING} ${IN_ORDER}`,
);
const COUNT_FOUND = statement<{ count: number }>(
  'accounts_count_found',
  `
  select count(*)::integer as count from ${foundSql(['$1', '$2', '$3', '$4'])}`,
);

/** No username or address is longer. */
const LONGEST_SEARCH = 254;

/**
 * Every account, the newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws InvalidInputError `INVALID_INPUT` for `first`, `after` or `search`
 */
export async function listAccounts(
  deps: Pick<AccountsDeps, 'database' | 'loaders'>,
  by: AdminActor,
  request: ListAccountsParams,
): Promise<ConnectionPage<AccountView>> {
  await requireAdmin(deps, by);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const bounds = boundsOf(request.search ?? '');
  const place = [...placeAfter(page.after, 'descending'), page.first + 1];
  const [found, [total]] = await Promise.all([
    readRows(page, () => deps.database.query(bounds.length === 0 ? PAGE : PAGE_FOUND, [...place, ...bounds])),
    deps.database.query(bounds.length === 0 ? COUNT : COUNT_FOUND, bounds),
  ]);
  return toConnectionPage(page, found, total?.count ?? 0, ({ createdAt: at, id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at, id }),
  );
}

/** The ranges of usernames and addresses; none for all. */
function boundsOf(search: string): string[] {
  new FieldErrorCollector()
    .check(
      'search',
      search.length > LONGEST_SEARCH ? `must be at most ${LONGEST_SEARCH} characters` : validateStorableText(search),
    )
    .throwIfAny();
  return search === ''
    ? []
    : [usernameKey(search), emailKey(search)].flatMap((prefix) => [prefix, endOfPrefix(prefix)]);
}

/** The highest code point follows whatever a text goes on with: the range compares bytes, whose order in UTF-8 is that of code points. */
function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
