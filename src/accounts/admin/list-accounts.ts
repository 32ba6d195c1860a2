import { checkPage, type ConnectionPage, connectionPage, MOMENT_CURSOR, type PageRequest, readRows, statement, writeCursor } from '../../database/index.js';
import { InvalidFields } from '../../errors/index.js';
import type { AccountsDeps } from '../deps.js';
import { emailKey } from '../email/email.js';
import { storableTextProblem } from '../text.js';
import { usernameKey } from '../username.js';
import type { AccountView } from './account-view.js';
import { type Administrator, requireAdmin } from './administrator.js';

export interface AccountsRequest extends PageRequest {
  /** How a username or an email address begins, in any case; null, absent or empty for all. */
  readonly search?: string | null | undefined;
}

const COLUMNS = `id, username, display_name as "displayName", email, email_verified_at is not null as "emailVerified", roles,
    disabled_at is not null as disabled, created_at as "createdAt", last_login_at as "lastLoginAt"`;
const FOLLOWING = 'deleted_at is null and ($1::timestamptz is null or (created_at, id) < ($1, $2::uuid))';
const IN_ORDER = 'order by created_at desc, id desc limit $3';
const matches = (name: string, email: string): string => `(username_key like ${name} or email_key like ${email})`;

const PAGE = statement<AccountView>('accounts_page', `select ${COLUMNS} from account where ${FOLLOWING} ${IN_ORDER}`);
const COUNT = statement<{ count: number }>('accounts_count', 'select count(*)::integer as count from account where deleted_at is null');
const PAGE_FOUND = statement<AccountView>('accounts_page_found', `
  select ${COLUMNS} from account where ${FOLLOWING} and ${matches('$4', '$5')} ${IN_ORDER}`);
const COUNT_FOUND = statement<{ count: number }>('accounts_count_found', `
  select count(*)::integer as count from account where deleted_at is null and ${matches('$1', '$2')}`);

/** No username or address is longer. */
const LONGEST_SEARCH = 254;

/**
 * Every account, the newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws InvalidInputError `INVALID_INPUT` for `first`, `after` or `search`
 */
export async function listAccounts(
  deps: Pick<AccountsDeps, 'database' | 'reads'>,
  by: Administrator,
  request: AccountsRequest,
): Promise<ConnectionPage<AccountView>> {
  await requireAdmin(deps, by);
  const page = checkPage(request, MOMENT_CURSOR);
  const patterns = patternsOf(request.search ?? '');
  const place = [page.after?.at ?? null, page.after?.id ?? null, page.first + 1];
  const [found, [total]] = await Promise.all([
    readRows(page, () => deps.database.read(patterns.length === 0 ? PAGE : PAGE_FOUND, [...place, ...patterns])),
    deps.database.read(patterns.length === 0 ? COUNT : COUNT_FOUND, patterns),
  ]);
  return connectionPage(page, found, total?.count ?? 0, ({ createdAt: at, id }) => writeCursor(MOMENT_CURSOR, { at, id }));
}

/** What usernames and addresses are compared with; none for all. */
function patternsOf(search: string): string[] {
  new InvalidFields()
    .check('search', search.length > LONGEST_SEARCH ? `must be at most ${LONGEST_SEARCH} characters` : storableTextProblem(search))
    .throwIfAny();
  return search === '' ? [] : [usernameKey(search), emailKey(search)].map(beginningWith);
}

function beginningWith(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
