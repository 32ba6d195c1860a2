import {
  createOpenVerificationLoader,
  issueToken,
  registerAccount,
  SECURITY_NOTICES,
  sendResetMail,
  sendSecurityNotice,
  sendVerificationMail,
  verifyEmail,
  type ClientInfo,
  type UserActor,
} from '../../../src/accounts/index.js';
import type { Mail } from '../../../src/accounts/ports/mailer.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { createTestCore, type TestCore } from '../../support/service/test-core.js';

export const PASSWORD = 'seven quiet lanterns';
export const NEW_PASSWORD = 'nine louder lanterns';
export const HOME: ClientInfo = { address: '192.0.2.1', userAgent: null };
export const AWAY: ClientInfo = { address: '198.51.100.1', userAgent: null };

export interface PasswordsFixture extends TestCore {
  readonly mailer: RecordingMailer;
  /** Registers a user; an address is verified. */
  join(username: string, email?: string): Promise<UserActor>;
  logIn(username: string, password?: string, client?: ClientInfo): Promise<TokenPair>;
  signedIn(username: string, password?: string): Promise<UserActor>;
  /** Runs the queued mail tasks; returns their outcomes. */
  deliver(): Promise<string[]>;
  /** Sends the queued notices; returns their mails. */
  notices(): Promise<Mail[]>;
  sql<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export async function createPasswordsFixture(
  options: Parameters<typeof createTestCore>[0] = {},
): Promise<PasswordsFixture> {
  const mailer = new RecordingMailer();
  const core = await createTestCore({ ...options, mailer });
  const { accounts, database } = core;
  const sql = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await database.pool.query(text, [...values])).rows as Row[];
  const logIn: PasswordsFixture['logIn'] = (username, password = PASSWORD, client = HOME) =>
    issueToken(accounts, { username, password }, client);

  const verificationDeps = { ...accounts, findOpenVerification: createOpenVerificationLoader(accounts) };

  async function deliver(): Promise<string[]> {
    const tasks = await sql<{ id: string; name: string; payload: { userId: string; resetId: string } }>(
      `
      update outbox_task set status = 'DONE', due_at = null
      where status = 'QUEUED' and name in ('verify_email', 'reset_password') returning id, name, payload`,
    );
    const outcomes: string[] = [];
    for (const {
      id: mailId,
      name,
      payload: { userId, resetId },
    } of tasks) {
      outcomes.push(
        await (name === 'verify_email'
          ? sendVerificationMail(verificationDeps, { userId, mailId })
          : sendResetMail(accounts, { resetId, mailId })),
      );
    }
    return outcomes;
  }

  async function notices(): Promise<Mail[]> {
    const before = mailer.sent.length;
    const owed = await sql<{ id: string; name: string }>(
      `
      update outbox_task set status = 'DONE', due_at = null, finished_at = $1
      where status = 'QUEUED' and name = any($2) returning id, name`,
      [core.clock.now(), SECURITY_NOTICES],
    );
    for (const { id, name } of owed)
      await sendSecurityNotice(
        accounts,
        SECURITY_NOTICES.find((notice) => notice === name)!,
        id,
      );
    return mailer.sent.slice(before);
  }

  async function signedIn(username: string, password?: string): Promise<UserActor> {
    const { sub, sid } = await accounts.accessTokens.verify((await logIn(username, password)).accessToken);
    return { kind: 'user', userId: sub, sessionId: sid };
  }

  return {
    ...core,
    mailer,
    sql,
    logIn,
    signedIn,
    deliver,
    notices,
    join: async (username, email) => {
      await registerAccount(accounts, { username, password: PASSWORD, email: email ?? null, displayName: null }, HOME);
      await deliver();
      if (email !== undefined) await verifyEmail(accounts, mailer.secretTo(email));
      return signedIn(username);
    },
  };
}

/** Whether access tokens of the session are still accepted. */
export async function isAlive({ accounts }: PasswordsFixture, { sessionId }: UserActor): Promise<boolean> {
  return !(await accounts.revocations.isRevoked(sessionId));
}
