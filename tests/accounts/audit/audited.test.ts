import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS, type AuditAction } from '../../../src/accounts/audit/audit-actions.js';
import {
  changePassword,
  createApiKey,
  createApiKeyAsAdmin,
  deriveLinkSecret,
  grantAdmin,
  newId,
  OPERATOR,
  refreshSession,
  requestPasswordReset,
  resetPassword,
  retryFollowUp,
  revokeApiKey,
  revokeSession,
  revokeToken,
  setUserDisabled,
  setUserRole,
  updateProfile,
  verifyEmail,
  type UserActor,
} from '../../../src/accounts/index.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { claimInvitation, createGroup, inviteToGroup } from '../../../src/groups/index.js';
import { deleteAccount } from '../../../src/person-lifecycle/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import { createAdminFixture, MATCHER, type AdminFixture, type AuditRow } from '../administration/admin-fixture.js';
import { HOME, NEW_PASSWORD, PASSWORD } from '../passwords/passwords-fixture.js';

const GRACE_MS = 10_000;

let fixture: AdminFixture;
let root: UserActor;
beforeAll(async () => {
  fixture = await createAdminFixture();
  root = await fixture.administrator();
  // Not called before a test creates a trigger.
  await fixture.sql(
    `create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$`,
  );
});
afterAll(() => fixture.remove());

interface Written extends Pick<AuditRow, 'actorId' | 'subjectId'> {
  readonly detail: unknown;
}

interface Stage {
  /** Does what is audited, and gives what is to be written of it. */
  readonly run: () => Promise<Written>;
  /** What is refused, or changes nothing; nothing may be written of any. */
  readonly rejected: readonly (() => Promise<unknown>)[];
}

type Case = readonly [how: string, stage: () => Promise<Stage>];

function own({ userId }: UserActor, detail: unknown = null): Written {
  return { actorId: userId, subjectId: userId, detail };
}

function done(by: UserActor | typeof OPERATOR, subjectId: string | null, detail: unknown = null): Written {
  return { actorId: by.kind === 'user' ? by.userId : null, subjectId, detail };
}

let people = 0;

/** User with a session, and with a verified address if `hasAddress`. */
async function createNamedUser(
  hasAddress = false,
): Promise<UserActor & { readonly username: string; readonly email: string }> {
  people += 1;
  const [username, email] = [`someone-${people}`, `someone-${people}@example.org`];
  return { ...(await fixture.join(username, hasAddress ? email : undefined)), username, email };
}

const update = (actor: UserActor, email: string | null, currentPassword = PASSWORD) =>
  updateProfile(fixture.accounts, actor, { email, currentPassword }, HOME);

async function newAddress(): Promise<{ actor: UserActor; email: string; secret: string }> {
  const actor = await createNamedUser();
  await update(actor, actor.email);
  await fixture.deliver();
  return { actor, email: actor.email, secret: fixture.mailer.secretTo(actor.email) };
}

/** Invitation to the unverified address of a user. */
async function invited(): Promise<{ actor: UserActor; secret: string }> {
  const [host, actor] = [await createNamedUser(true), await createNamedUser()];
  await update(actor, actor.email);
  const { group } = await createGroup(fixture.groups, host, { name: 'Choir' });
  const {
    results: [result],
  } = await inviteToGroup(fixture.groups, host, { groupId: group.id, invitees: [{ email: actor.email }] });
  return {
    actor,
    secret: deriveLinkSecret(fixture.accounts.serverSecret, 'invitation', {
      id: result?.invitation?.id ?? '',
      version: 1,
    }),
  };
}

async function failedFollowUp(): Promise<{ id: string; userId: string }> {
  const [id, { userId }] = [newId(), await fixture.person()];
  await fixture.sql(
    `
    insert into outbox_task (id, name, payload, registered_user_id, status, created_at)
    values ($1, 'verify_email', '{}', $2, 'FAILED', $3)`,
    [id, userId, fixture.clock.now()],
  );
  return { id, userId };
}

function disabling(by: UserActor | typeof OPERATOR, disabled: boolean): () => Promise<Stage> {
  return async () => {
    const [{ userId }, other] = [await createNamedUser(), await fixture.person()];
    const set = (who: UserActor | typeof OPERATOR, to: boolean, whom = userId) =>
      setUserDisabled(fixture.accounts, who, { userId: whom, disabled: to });
    if (!disabled) await set(root, true);
    return {
      run: async () => {
        await set(by, disabled);
        return done(by, userId);
      },
      rejected: [
        () => set(by, !disabled),
        () => set(other, disabled),
        () => set(root, disabled, root.userId),
        () => set(by, disabled, UNKNOWN_ID),
      ],
    };
  };
}

function changingRole(by: UserActor | typeof OPERATOR, role: 'ADMIN' | 'USER'): () => Promise<Stage> {
  return async () => {
    const [{ userId }, other] = [
      role === 'ADMIN' ? await fixture.person() : await fixture.administrator(),
      await fixture.person(),
    ];
    const set = (who: UserActor | typeof OPERATOR, to: 'ADMIN' | 'USER', whom = userId) =>
      setUserRole(fixture.accounts, who, { userId: whom, role: to });
    return {
      run: async () => {
        await set(by, role);
        return done(by, userId, { role: 'ADMIN' });
      },
      rejected: [
        () => set(by, role === 'ADMIN' ? 'USER' : 'ADMIN'),
        () => set(other, role),
        () => set(root, role, root.userId),
      ],
    };
  };
}

/** Every action by every way to it. An action that is new needs a case, and the compiler says so too. */
const CASES: Readonly<Record<AuditAction, readonly Case[]>> = {
  login: [
    [
      'with a password',
      async () => {
        const { username } = await createNamedUser();
        return {
          run: async () => {
            const { accessToken } = await fixture.logIn(username);
            const { sub, sid } = await fixture.accounts.accessTokens.verify(accessToken);
            return { actorId: sub, subjectId: sub, detail: { sessionId: sid } };
          },
          rejected: [() => fixture.logIn(username, 'not it'), () => fixture.logIn('nobody-at-all')],
        };
      },
    ],
  ],
  'password.changed': [
    [
      'by its owner',
      async () => {
        const ada = await createNamedUser();
        const change = (currentPassword: string, newPassword: string) =>
          changePassword(fixture.accounts, ada, { currentPassword, newPassword }, HOME);
        return {
          run: async () => {
            await change(PASSWORD, NEW_PASSWORD);
            return own(ada);
          },
          rejected: [() => change('not it', NEW_PASSWORD), () => change(PASSWORD, 'short')],
        };
      },
    ],
    [
      'by its owner, with an address that was not proven',
      async () => {
        const ada = await createNamedUser();
        await update(ada, ada.email);
        const change = (currentPassword: string) =>
          changePassword(fixture.accounts, ada, { currentPassword, newPassword: NEW_PASSWORD }, HOME);
        return {
          run: async () => {
            await change(PASSWORD);
            return own(ada, { removed: 'unverified-email' });
          },
          rejected: [() => change('not it')],
        };
      },
    ],
  ],
  'password.reset': [
    [
      'by a mailed link',
      async () => {
        const ada = await createNamedUser(true);
        await requestPasswordReset(fixture.accounts, ada.email, HOME);
        await fixture.deliver();
        const secret = fixture.mailer.secretTo(ada.email);
        const reset = (by: string, newPassword: string) =>
          resetPassword(fixture.accounts, { secret: by, newPassword }, HOME);
        return {
          run: async () => {
            await reset(secret, NEW_PASSWORD);
            return own(ada);
          },
          rejected: [() => reset('nonsense', NEW_PASSWORD), () => reset(secret, 'short')],
        };
      },
    ],
  ],
  'email.change-requested': [
    [
      'by its owner',
      async () => {
        const ada = await createNamedUser(true);
        return {
          run: async () => {
            await update(ada, `new-${ada.email}`);
            return own(ada);
          },
          rejected: [
            () => update(ada, `new-${ada.email}`, 'not it'),
            () => update(ada, 'nonsense'),
            () => update(ada, ada.email),
          ],
        };
      },
    ],
  ],
  'email.verified': [
    [
      'by a mailed link',
      async () => {
        const { actor, secret } = await newAddress();
        return {
          run: async () => {
            await verifyEmail(fixture.accounts, secret);
            return own(actor);
          },
          rejected: [() => verifyEmail(fixture.accounts, 'nonsense')],
        };
      },
    ],
    [
      'by the link of an invitation',
      async () => {
        const { actor, secret } = await invited();
        const claim = (by: UserActor, link: string) =>
          claimInvitation(fixture.groups, by, { secret: link, status: 'PENDING' });
        const [{ actor: another, secret: forSomebodyElse }, stranger] = [await invited(), await createNamedUser()];
        return {
          run: async () => {
            await claim(actor, secret);
            return own(actor, { by: 'invitation' });
          },
          // Who claims what was sent to another address proves nothing of it.
          rejected: [() => claim(another, 'nonsense'), () => claim(stranger, forSomebodyElse)],
        };
      },
    ],
  ],
  'email.removed': [
    [
      'by its owner',
      async () => {
        const ada = await createNamedUser(true);
        return {
          run: async () => {
            await update(ada, null);
            return own(ada);
          },
          rejected: [() => update(ada, null, 'not it')],
        };
      },
    ],
  ],
  'sessions.revoked': [
    [
      'one from the list',
      async () => {
        const [ada, other] = [await createNamedUser(), await createNamedUser()];
        const revoke = (sessionId: string) => revokeSession(fixture.accounts, ada, sessionId);
        return {
          run: async () => {
            await revoke(ada.sessionId);
            return own(ada, { sessionIds: [ada.sessionId] });
          },
          rejected: [() => revoke(other.sessionId), () => revoke(UNKNOWN_ID)],
        };
      },
    ],
    [
      'all, by a refresh token',
      async () => {
        const ada = await createNamedUser();
        const { refreshToken } = await fixture.logIn(ada.username);
        const ids = (await fixture.sql<{ id: string }>('select id from session where user_id = $1', [ada.userId])).map(
          ({ id }) => id,
        );
        const revoke = (token: string) => revokeToken(fixture.accounts, ada, { token, everywhere: true });
        return {
          run: async () => {
            await revoke(refreshToken);
            return own(ada, { sessionIds: expect.arrayContaining(ids) });
          },
          rejected: [() => revoke('nonsense')],
        };
      },
    ],
  ],
  'session.stolen': [
    [
      'by a token that comes again',
      async () => {
        const ada = await createNamedUser();
        const { refreshToken } = await fixture.logIn(ada.username);
        const { refreshToken: next, accessToken } = await refreshSession(fixture.accounts, refreshToken, HOME);
        const { sid: sessionId } = await fixture.accounts.accessTokens.verify(accessToken);
        return {
          run: async () => {
            fixture.clock.advance(GRACE_MS + 1);
            await expect(refreshSession(fixture.accounts, refreshToken, HOME)).rejects.toEqual(
              errorWithReason('REFRESH_REUSED'),
            );
            return { actorId: null, subjectId: ada.userId, detail: { sessionId } };
          },
          rejected: [
            () => refreshSession(fixture.accounts, refreshToken, HOME),
            () => refreshSession(fixture.accounts, next, HOME),
            () => refreshSession(fixture.accounts, 'nonsense', HOME),
          ],
        };
      },
    ],
  ],
  'account.disabled': [
    ['by an administrator', () => disabling(root, true)()],
    ['by a command', disabling(OPERATOR, true)],
  ],
  'account.enabled': [
    ['by an administrator', () => disabling(root, false)()],
    ['by a command', disabling(OPERATOR, false)],
  ],
  'account.deleted': [
    [
      'by its owner',
      async () => {
        const deletionDeps = () => ({ ...fixture.accounts, writeQueue: fixture.groups.writeQueue });
        const [ada, owner] = [await createNamedUser(), await createNamedUser()];
        const { group } = await createGroup(fixture.groups, owner, { name: 'Choir' });
        await inviteToGroup(fixture.groups, owner, { groupId: group.id, invitees: [{ userId: ada.userId }] });
        return {
          run: async () => {
            await deleteAccount(deletionDeps(), ada, PASSWORD, HOME);
            return { actorId: null, subjectId: null, detail: null };
          },
          rejected: [
            () => deleteAccount(deletionDeps(), ada, 'not it', HOME),
            () => deleteAccount(deletionDeps(), owner, PASSWORD, HOME),
          ],
        };
      },
    ],
  ],
  'role.granted': [
    ['by an administrator', () => changingRole(root, 'ADMIN')()],
    [
      'by a command',
      async () => {
        const [{ userId, username }, already] = [await createNamedUser(), await createNamedUser()];
        await grantAdmin(fixture.accounts, already.username);
        return {
          run: async () => {
            await grantAdmin(fixture.accounts, username);
            return done(OPERATOR, userId, { role: 'ADMIN' });
          },
          rejected: [
            () => grantAdmin(fixture.accounts, 'nobody-at-all'),
            () => grantAdmin(fixture.accounts, already.username),
          ],
        };
      },
    ],
  ],
  'role.revoked': [
    ['by an administrator', () => changingRole(root, 'USER')()],
    ['by a command', changingRole(OPERATOR, 'USER')],
  ],
  'api-key.created': [
    [
      'by an administrator',
      async () => {
        const other = await fixture.person();
        const repeatable = { key: newId(), operation: 'createApiKey', actor: root, input: MATCHER };
        await createApiKeyAsAdmin(fixture.accounts, root, MATCHER, repeatable);
        return {
          run: async () => {
            const { apiKey } = await createApiKeyAsAdmin(fixture.accounts, root, MATCHER);
            return done(root, null, { apiKeyId: apiKey.id, scopes: ['groups:read'], groupIds: null });
          },
          rejected: [
            () => createApiKeyAsAdmin(fixture.accounts, other, MATCHER),
            () => createApiKeyAsAdmin(fixture.accounts, root, { ...MATCHER, name: '' }),
            () => createApiKeyAsAdmin(fixture.accounts, root, { ...MATCHER, groupIds: [UNKNOWN_ID] }),
            () => createApiKeyAsAdmin(fixture.accounts, root, MATCHER, repeatable),
          ],
        };
      },
    ],
    [
      'by a command',
      async () => {
        const {
          group: { id },
        } = await createGroup(fixture.groups, await createNamedUser(), { name: 'Choir' });
        return {
          run: async () => {
            const { apiKey } = await createApiKey(fixture.accounts, { ...MATCHER, groupIds: [id] });
            return done(OPERATOR, null, { apiKeyId: apiKey.id, scopes: ['groups:read'], groupIds: [id] });
          },
          rejected: [() => createApiKey(fixture.accounts, { ...MATCHER, scopes: [] })],
        };
      },
    ],
  ],
  'api-key.revoked': [
    [
      'by an administrator',
      async () => {
        const [
          {
            apiKey: { id },
          },
          other,
        ] = [await createApiKey(fixture.accounts, MATCHER), await fixture.person()];
        return {
          run: async () => {
            await revokeApiKey(fixture.accounts, root, id);
            return done(root, null, { apiKeyId: id });
          },
          rejected: [
            () => revokeApiKey(fixture.accounts, root, UNKNOWN_ID),
            () => revokeApiKey(fixture.accounts, other, id),
          ],
        };
      },
    ],
  ],
  'signing-key.rotated': [
    [
      'by a command',
      () =>
        Promise.resolve({
          run: async () => done(OPERATOR, null, { kid: await fixture.keys.rotate() }),
          rejected: [() => fixture.keys.renew()],
        }),
    ],
    [
      'when it is time',
      () => {
        fixture.clock.advance(100 * DAY_MS);
        return Promise.resolve({
          run: async () => {
            await fixture.keys.renew();
            return done(OPERATOR, null, { kid: fixture.keys.list().at(-1)?.kid });
          },
          rejected: [],
        });
      },
    ],
  ],
  'follow-up.retried': [
    [
      'by an administrator',
      async () => {
        const [{ id, userId }, other] = [await failedFollowUp(), await fixture.person()];
        return {
          run: async () => {
            await retryFollowUp(fixture.accounts, root, id);
            return done(root, userId, { followUpId: id, name: 'verify_email' });
          },
          rejected: [
            () => retryFollowUp(fixture.accounts, root, UNKNOWN_ID),
            () => retryFollowUp(fixture.accounts, other, id),
          ],
        };
      },
    ],
  ],
};

const WAYS = Object.entries(CASES).flatMap(([action, cases]) =>
  cases.map(([how, stage]) => [action, how, stage] as const),
);

async function writtenSince(before: readonly AuditRow[]): Promise<AuditRow[]> {
  const known = new Set(before.map(({ id }) => id));
  return (await fixture.audited()).filter(({ id }) => !known.has(id));
}

async function tables(): Promise<string[]> {
  return (
    await fixture.sql<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
  ).map(({ name }) => name);
}

/** Every row of every table. */
async function readAllTables(): Promise<unknown[]> {
  return Promise.all(
    (await tables()).map(async (name) => [
      name,
      ...(await fixture.sql(`select row::text from ${name} as row order by 1`)),
    ]),
  );
}

/** Runs `work` while each transaction that changes one of the tables fails at its commit. */
async function whileUnchanged<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
  for (const name of names) {
    await fixture.sql(
      `
      create constraint trigger refuse_commit after insert or update or delete on ${name}
      deferrable initially deferred for each row execute function refuse_commit()`,
    );
  }
  try {
    return await work();
  } finally {
    for (const name of names) await fixture.sql(`drop trigger refuse_commit on ${name}`);
  }
}

describe('audit events', () => {
  it('have a case here for every action', () => {
    expect(Object.keys(CASES).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  });
});

describe.each(WAYS)('audit event %s (%s)', (action, _how, stage) => {
  it('is written in the transaction of its action', async () => {
    const { run } = await stage();
    const [before, audited] = [await readAllTables(), await fixture.audited()];
    // What cannot be written is not done, and what is not done is not written.
    const others = (await tables()).filter((name) => name !== 'audit_event');
    for (const refusing of [['audit_event'], others]) {
      await whileUnchanged(refusing, () => expect(run()).rejects.toThrow());
      expect(await readAllTables()).toEqual(before);
    }
    await run();
    expect(await writtenSince(audited)).toHaveLength(1);
  });

  it('is written once, with actor, subject and detail', async () => {
    const { run } = await stage();
    const audited = await fixture.audited();
    const written = await run();
    expect(await writtenSince(audited)).toEqual([{ id: expect.any(String), action, ...written }]);
  });

  it('is not written when the action is rejected or changes nothing', async () => {
    const { rejected } = await stage();
    const audited = await fixture.audited();
    for (const attempt of rejected) await attempt().catch(() => undefined);
    expect(await writtenSince(audited)).toEqual([]);
  });
});

describe('details of audit events', () => {
  it('contain only ids and words', async () => {
    const words = (await fixture.audited()).flatMap(({ detail }) => Object.values(detail ?? {})).flat();
    expect(words.length).toBeGreaterThan(WAYS.length);
    for (const word of words) if (word !== null) expect(word).toMatch(/^[\w:-]+$/);
  });
});
