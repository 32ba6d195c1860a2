import type { EntityManager } from '@mikro-orm/postgresql';
import {
  isAdmin,
  type ApiKeyScope,
  type AuthenticatedActor,
  type ServiceActor,
  type UserActor,
} from '../../accounts/index.js';
import { ForbiddenError, NotFoundError } from '../../errors/index.js';
import type { Member } from '../model/member.entity.js';

/** A program that may know of the group. */
export interface ServiceCaller {
  readonly kind: 'service';
  readonly actor: ServiceActor;
}

/** A person who may know of the group: a member, an administrator, or both. */
export interface UserCaller {
  readonly kind: 'user';
  readonly actor: UserActor;
  readonly membership: Member | null;
  /** Asked of the database only where it matters, which it rarely does for a member. */
  isAdmin(): Promise<boolean>;
}

export type Caller = ServiceCaller | UserCaller;

/** @throws NotFoundError `GROUP_NOT_FOUND` for a stranger, exactly as for a group that does not exist */
export async function resolveCaller(
  em: EntityManager,
  actor: AuthenticatedActor,
  members: ReadonlyMap<string, Member>,
): Promise<Caller> {
  if (actor.kind === 'service') return { kind: 'service', actor };
  const membership = members.get(actor.userId) ?? null;
  const caller: UserCaller = { kind: 'user', actor, membership, isAdmin: () => isAdmin(em, actor.userId) };
  if (membership === null && !(await caller.isAdmin())) throw new NotFoundError('GROUP_NOT_FOUND');
  return caller;
}

/** @throws NotFoundError `GROUP_NOT_FOUND` for a program whose key is limited to other groups */
export function requireGroupAllowedByKey(actor: AuthenticatedActor, groupId: string): void {
  if (actor.kind === 'service' && actor.groupIds !== null && !actor.groupIds.includes(groupId)) {
    throw new NotFoundError('GROUP_NOT_FOUND');
  }
}

/** @throws ForbiddenError `SCOPE_REQUIRED` */
export function requireScope(actor: ServiceActor, scope: ApiKeyScope): void {
  if (!actor.scopes.includes(scope)) throw new ForbiddenError('SCOPE_REQUIRED');
}

/**
 * Owners and administrators manage a group.
 *
 * @throws ForbiddenError `OWNER_REQUIRED`, or `SCOPE_REQUIRED` for a program: no scope stands for an owner
 */
export async function requireOwner(caller: Caller): Promise<UserCaller> {
  if (caller.kind === 'service') throw new ForbiddenError('SCOPE_REQUIRED');
  if (caller.membership?.role !== 'OWNER' && !(await caller.isAdmin())) throw new ForbiddenError('OWNER_REQUIRED');
  return caller;
}
