import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { getGroup, requireInsiderAccess, type GetGroupDeps } from '../access/get-group.js';
import type { GroupView } from '../model/group-view.js';

/** The caller of a subscription. */
export interface SubscriptionCaller {
  /** The caller at the start. */
  readonly actor: Actor;
  /** Authenticates the same token again. Resolves to an anonymous actor when it has expired or was revoked. */
  readonly reauthenticate: () => Promise<Actor>;
  /** Called before each change; delivery waits until it resolves. Absent to deliver immediately. */
  readonly beforeEvent?: (() => Promise<void>) | undefined;
}

/** Guards a subscription: checks the caller's token and membership again after either may have changed. */
export class SubscriptionGuard {
  readonly #deps: GetGroupDeps;
  readonly #caller: SubscriptionCaller;
  readonly #groupId: string;
  #actor: Actor;
  #isTokenStale = false;
  #isMembershipStale = true;

  constructor(deps: GetGroupDeps, caller: SubscriptionCaller, groupId: string) {
    this.#deps = deps;
    this.#caller = caller;
    this.#groupId = groupId;
    this.#actor = caller.actor;
  }

  /** Marks the token as stale; the next `authorize` authenticates it again. */
  invalidateToken(): void {
    this.#isTokenStale = true;
  }

  /** Marks the membership as stale; the next `authorize` reads it again. */
  invalidateMembership(): void {
    this.#isMembershipStale = true;
  }

  /**
   * Checks access at the start.
   *
   * @returns the group as the caller sees it
   * @throws as `authorize`
   */
  async authorizeStart(): Promise<GroupView> {
    requireUnexpired(this.#actor, this.#deps.clock.now());
    return this.#readGroup();
  }

  /**
   * Checks the expiry of the token, and reads token and membership again when they are stale.
   *
   * @throws UnauthenticatedError, ForbiddenError, NotFoundError when the caller has lost access
   * @throws UnavailableError when the database is unavailable; stale data stays stale
   */
  async authorize(): Promise<void> {
    requireUnexpired(this.#actor, this.#deps.clock.now());
    if (this.#isTokenStale) await this.#renewActor();
    if (this.#isMembershipStale) await this.#readGroup();
  }

  async #readGroup(): Promise<GroupView> {
    // Reset before the read, so that a concurrent change marks it as stale again.
    this.#isMembershipStale = false;
    try {
      const group = await getGroup(this.#deps, this.#actor, this.#groupId);
      requireInsiderAccess(requireAuthenticated(this.#actor), group);
      return group;
    } catch (error) {
      this.#isMembershipStale = true;
      throw error;
    }
  }

  async #renewActor(): Promise<void> {
    this.#isTokenStale = false;
    try {
      this.#actor = requireAuthenticated(await this.#caller.reauthenticate());
    } catch (error) {
      this.#isTokenStale = true;
      throw error;
    }
  }
}

/** Without the tolerance for clock skew that single requests have, because a subscription lasts. */
function requireUnexpired(actor: Actor, now: Date): void {
  if (actor.kind !== 'anonymous' && actor.expiresAt != null && actor.expiresAt <= now)
    throw new UnauthenticatedError('TOKEN_EXPIRED');
}
