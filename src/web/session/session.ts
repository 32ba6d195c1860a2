import { OperationError } from '../api/operation-error.js';
import { sendOperation } from '../api/send-operation.js';
import {
  IssueTokenDocument,
  RefreshTokenDocument,
  RevokeTokenDocument,
  type IssueTokenInput,
  type TokensFragment,
} from '../generated/operations.js';
import type { SessionStore } from './session-store.js';
import { withLock } from './with-lock.js';

/** A token is renewed this long before it expires, so that it does not expire on its way. */
const RENEWAL_MARGIN_MS = 30_000;
const MS_PER_SECOND = 1_000;

/** There is no session, or it has ended. The visitor has to log in. */
export class LoggedOutError extends Error {}

interface AccessToken {
  readonly value: string;
  readonly renewAt: number;
}

/**
 * The login of this browser. The tabs share the refresh token. Each has an access token of its own, in memory.
 *
 * A refresh token is good once: its second use ends the session. Therefore the tabs refresh one after another, each
 * with the token that the one before has stored.
 */
export class Session {
  readonly #endpoint: string;
  readonly #store: SessionStore;
  readonly #listeners = new Set<() => void>();
  #userId: string | null;
  #accessToken: AccessToken | null = null;
  #renewal: Promise<string> | null = null;
  #isEndedByService = false;

  /** @param endpoint path of GraphQL */
  constructor(endpoint: string, store: SessionStore) {
    this.#endpoint = endpoint;
    this.#store = store;
    this.#userId = this.#store.read()?.userId ?? null;
    this.#store.onChangeElsewhere(() => {
      this.#follow(this.#store.read()?.userId ?? null);
    });
  }

  /** The user who is logged in; null without a session. */
  get userId(): string | null {
    return this.#userId;
  }

  /** Whether the last session was revoked or has expired, as opposed to a logout. */
  get isEndedByService(): boolean {
    return this.#isEndedByService;
  }

  /** Calls the listener when another user is logged in, or none. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts a session, and ends the one that it replaces. */
  async logIn(input: IssueTokenInput): Promise<void> {
    const { issueToken } = await sendOperation(this.#endpoint, IssueTokenDocument, { variables: { input } });
    const replaced = await withLock(this.#store.name, async () => {
      const stored = this.#store.read();
      this.#adopt(issueToken);
      return stored;
    });
    if (replaced !== null) await this.#revoke(replaced.refreshToken);
  }

  /** Ends the session, in all tabs. It also ends here if the service cannot be reached. */
  async logOut(): Promise<void> {
    const session = await withLock(this.#store.name, async () => {
      const stored = this.#store.read();
      this.#end();
      return stored;
    });
    if (session !== null) await this.#revoke(session.refreshToken);
  }

  /** Ends the session without waiting for other tabs, because the page is being closed. */
  endWithPage(): void {
    const stored = this.#store.read();
    this.#end();
    if (stored !== null) void this.#revoke(stored.refreshToken);
  }

  /**
   * Returns a token that is accepted for some time, after renewing it when needed.
   *
   * @throws LoggedOutError when there is no session or it has ended
   * @throws TypeError when the service cannot be reached
   */
  async accessToken(): Promise<string> {
    const token = this.#accessToken;
    if (token !== null && Date.now() < token.renewAt) return token.value;
    this.#renewal ??= withLock(this.#store.name, () => this.#renew()).finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /** Forgets a token that the service has rejected. */
  dropAccessToken(rejected: string): void {
    if (this.#accessToken?.value === rejected) this.#accessToken = null;
  }

  async #renew(): Promise<string> {
    const stored = this.#store.read();
    if (stored === null) throw this.#ended();
    try {
      const { refreshToken } = await sendOperation(this.#endpoint, RefreshTokenDocument, {
        variables: { input: { refreshToken: stored.refreshToken } },
      });
      return this.#adopt(refreshToken);
    } catch (error) {
      throw error instanceof OperationError && error.code === 'UNAUTHENTICATED' ? this.#ended() : error;
    }
  }

  #adopt({ accessToken, expiresIn, refreshToken, user }: TokensFragment): string {
    const lifetimeMs = expiresIn * MS_PER_SECOND;
    this.#isEndedByService = false;
    this.#store.write({ userId: user.id, refreshToken });
    const renewAt = Date.now() + lifetimeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2);
    const token = { value: accessToken, renewAt };
    // Set by both: `follow` changes nothing for the same user, and its listeners use the token.
    this.#follow(user.id, token);
    this.#accessToken = token;
    return accessToken;
  }

  #ended(): LoggedOutError {
    this.#isEndedByService = true;
    this.#end();
    return new LoggedOutError('There is no session');
  }

  #end(): void {
    this.#store.write(null);
    this.#follow(null);
  }

  /** Follows what this tab or another has stored. */
  #follow(userId: string | null, token: AccessToken | null = null): void {
    if (userId === this.#userId) return;
    this.#userId = userId;
    this.#accessToken = token;
    for (const listener of this.#listeners) listener();
  }

  /** A session that cannot be revoked expires by itself. */
  async #revoke(refreshToken: string): Promise<void> {
    const options = { variables: { input: { refreshToken } }, keepalive: true };
    await sendOperation(this.#endpoint, RevokeTokenDocument, options).catch(() => undefined);
  }
}
