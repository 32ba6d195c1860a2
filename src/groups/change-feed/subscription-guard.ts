import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { getGroup, requireInsiderAccess } from '../access/get-group.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../model/group-view.js';

/** Someone who listens for longer than a request takes. */
export interface SubscriptionCaller {
  /** Who it was at the beginning. */
  readonly actor: Actor;
  /** Who it is by now: nobody, once the token is revoked, has expired or was taken away. */
  readonly reauthenticate: () => Promise<Actor>;
  /** Resolves when the next change may be handed over; absent for at once. */
  readonly beforeEvent?: (() => Promise<void>) | undefined;
}

export type SubscriptionGuardDeps = Pick<GroupsDeps, 'loaders' | 'clock'>;

/** Whether a caller may still hear of a group: by their token, and by their place in it. */
export class SubscriptionGuard {
  readonly #deps: SubscriptionGuardDeps;
  readonly #caller: SubscriptionCaller;
  readonly #groupId: string;
  #actor: Actor;
  #isTokenInDoubt = false;
  #isPlaceInDoubt = true;

  constructor(deps: SubscriptionGuardDeps, caller: SubscriptionCaller, groupId: string) {
    this.#deps = deps;
    this.#caller = caller;
    this.#groupId = groupId;
    this.#actor = caller.actor;
  }

  /** It is some time since the token was looked at. */
  invalidateToken(): void {
    this.#isTokenInDoubt = true;
  }

  /** Something has changed in the group, which may be the caller's place in it. */
  invalidateMembership(): void {
    this.#isPlaceInDoubt = true;
  }

  /** The group as the caller sees it at the beginning. @throws as `require` does */
  async authorizeStart(): Promise<GroupView> {
    requireUnexpired(this.#actor, this.#deps.clock.now());
    return this.#requirePlace();
  }

  /**
   * Asks again only what is in doubt; the end of the token is looked at every time.
   *
   * @throws UnauthenticatedError, ForbiddenError, NotFoundError once they may not
   * @throws UnavailableError when it cannot be told at present; the doubt stays
   */
  async authorize(): Promise<void> {
    requireUnexpired(this.#actor, this.#deps.clock.now());
    if (this.#isTokenInDoubt) await this.#renewActor();
    if (this.#isPlaceInDoubt) await this.#requirePlace();
  }

  async #requirePlace(): Promise<GroupView> {
    // Beforehand, so that a change meanwhile is a new doubt.
    this.#isPlaceInDoubt = false;
    try {
      const group = await getGroup(this.#deps, this.#actor, this.#groupId);
      requireInsiderAccess(requireAuthenticated(this.#actor), group);
      return group;
    } catch (error) {
      this.#isPlaceInDoubt = true;
      throw error;
    }
  }

  async #renewActor(): Promise<void> {
    this.#isTokenInDoubt = false;
    try {
      this.#actor = requireAuthenticated(await this.#caller.reauthenticate());
    } catch (error) {
      this.#isTokenInDoubt = true;
      throw error;
    }
  }
}

/** To the second: what lasts has no need of the tolerance that a single request is granted for clocks that differ. */
function requireUnexpired(actor: Actor, now: Date): void {
  if (actor.kind !== 'anonymous' && actor.expiresAt != null && actor.expiresAt <= now)
    throw new UnauthenticatedError('TOKEN_EXPIRED');
}
