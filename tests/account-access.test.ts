import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findAccountAccess, type AccessKind } from './support/architecture/account-access.js';
import { readSources } from './support/architecture/import-graph.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOME = 'src/accounts/identity/locked-account.ts';

/**
 * Statements that access account rows without `lockAccount`, and the reason why they decide nothing from values that
 * may have changed.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  [`${HOME} assertion`]: 'It is where the brand is given.',
  [`${HOME} entity`]: 'It is where accounts are locked and inserted.',
  [`${HOME} sql-read`]: 'It is where accounts are locked.',
  'src/accounts/administration/list-accounts.ts sql-read': 'Part of prepared reads; writes nothing.',
  'src/accounts/administration/get-user-id.ts entity': 'Gives the id of a username, neither of which ever changes.',
  'src/accounts/identity/find-users.ts sql-read': 'Gives the ids of usernames, neither of which ever changes.',
  'src/accounts/mailed-links/email-verification.ts entity': 'Takes a LockedAccount.',
  'src/accounts/mailed-links/email-verification.ts sql-write': 'Takes a LockedAccount.',
  'src/accounts/email/verified-email.ts entity': 'Counts other accounts; a unique index decides between two owners.',
  'src/accounts/profile/erase-account.ts entity': 'Takes a LockedAccount.',
  'src/accounts/passwords/send-reset-mail.ts sql-read': 'Checked again under the lock when the link is used.',
  'src/accounts/registration/repeat-registration.ts entity': 'Answers a repeated request; writes nothing.',
  'src/accounts/registration/store-registration.ts sql-write': 'Inserts an account that no transaction has seen.',
  'src/accounts/sessions/start-session.ts sql-write': 'One statement; its conditions hold under the row lock.',
  'src/accounts/sessions/issue-token.ts sql-read': 'Part of prepared reads; begin-session compares the hash again.',
  'src/cli/demo/seed-large-group.ts sql-write': 'Inserts accounts that no one has seen.',
  'src/groups/account-deletion/affected-groups-loader.ts sql-read': 'Part of prepared reads; writes nothing.',
  'src/groups/account-deletion/leave-groups.ts sql-read':
    'Asks only whether accounts were deleted, which is never undone.',
  'src/groups/membership/require-another-owner.ts sql-read':
    'Asks only whether accounts were deleted, which is never undone.',
  'src/person-lifecycle/export-account.ts sql-read': 'Part of prepared reads; writes nothing.',
  'src/groups/claiming/claim-invitation.ts sql-read':
    'Names the groups to lock; acceptProofOfEmail decides under the lock.',
  'src/groups/invitations/list-invitations.ts sql-read': 'Part of prepared reads; writes nothing.',
  'src/groups/invitations/personal-invitations.ts sql-read':
    'An address is verified under the exclusive lock, which waits for the key share locks of members.',
  'src/groups/membership/members-loader.ts sql-read': 'Part of prepared reads; writes nothing.',
  'src/groups/responding/responding-group.ts sql-read':
    'The write depends on the revision of the group, which the verification of an address increases by its claim.',
  'src/groups/access/group-access-loader.ts sql-read': 'Whether the caller is an administrator; writes nothing.',
  'src/groups/membership/list-memberships.ts sql-read': 'Part of prepared reads; writes nothing.',
};

describe('the rows of accounts', () => {
  it('are accessed through lockAccount, except in listed places', () => {
    const found = findAccountAccess(readSources(ROOT));
    const offences = found.filter(({ file, kind }) => !Object.hasOwn(ALLOWED, `${file} ${kind}`));
    expect(offences.map(({ file, line, kind }) => `${file}:${line} ${kind}`)).toEqual([]);
    const used = new Set(found.map(({ file, kind }) => `${file} ${kind}`));
    expect(Object.keys(ALLOWED).filter((place) => !used.has(place))).toEqual([]);
  });
});

describe('findAccountAccess', () => {
  it.each<[string, AccessKind[]]>([
    ['if ((await em.findOne(Account, userId))?.emailVerifiedAt !== null) await invite();', ['entity']],
    ['await em.nativeUpdate(Account, { id }, { emailVerifiedAt: now });', ['entity']],
    ['await em.getRepository(EmailVerification).nativeDelete({ userId });', ['entity']],
    ['const SET = unnamedStatement(`update account set email_verified_at = $1 where id = $2`);', ['sql-write']],
    ['await pool.query("DELETE  FROM email_verification where user_id = $1", [id]);', ['sql-write']],
    ['const SET = statement("set", `update account set roles = $2 where id = $1`);', ['sql-write']],
    ['const EMAIL = unnamedStatement("select email from account where id = $1");', ['sql-read']],
    ['const ROWS = unnamedStatement(`select ${columns} from session join account on true`);', ['sql-read']],
    [
      'const EMAIL = statement("email", `select email from account`); transactionOf(em).query(EMAIL, []);',
      ['sql-read'],
    ],
    ['await setPassword(em, account as LockedAccount, password, now);', ['assertion']],
    ['await setPassword(em, account as unknown as LockedAccount, password, now);', ['assertion']],
  ])('finds %s', (statement, kinds) => {
    expect(findAccountAccess(new Map([['src/accounts/wrong.ts', statement]])).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    'const account = await lockAccount(em, userId);',
    'const LOCK = unnamedStatement("select 1 from account where id = $1 for share");',
    'const VIEWER = statement<Row>("viewer", `select username from account where id = $1`);',
    'const DELETE = unnamedStatement("delete from account_event where user_id = $1");',
    'await em.findOne(Session, sessionId);',
    "const COLUMNS = columnsSql(Account, 'a', ['username']);",
  ])('ignores %s', (statement) => {
    expect(findAccountAccess(new Map([['src/accounts/right.ts', statement]]))).toEqual([]);
  });
});
