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

/** An API client with access to the group. */
interface ServiceCaller {
  readonly kind: 'service';
  readonly actor: ServiceActor;
}

/** A user with access to the group: a member, an administrator, or both. */
export interface UserCaller {
  readonly kind: 'user';
  readonly actor: UserActor;
  /** Null for an administrator who is no member. */
  readonly membership: Member | null;
  /** Queries the database with every call. */
  isAdmin(): Promise<boolean>;
}

export type Caller = ServiceCaller | UserCaller;

/**
 * Resolves the caller's access to a group.
 *
 * @param members members of the group by user id; contains the caller when the caller is a member
 * @throws NotFoundError `GROUP_NOT_FOUND` for a user without access, as for a group that does not exist
 */
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

/**
 * Requires that the caller's API key is not limited to other groups.
 *
 * @throws NotFoundError `GROUP_NOT_FOUND`
 */
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
 * Requires an owner of the group or an administrator.
 *
 * @throws ForbiddenError `OWNER_REQUIRED`; `SCOPE_REQUIRED` for an API client, since no scope replaces ownership
 */
export async function requireOwner(caller: Caller): Promise<UserCaller> {
  if (caller.kind === 'service') throw new ForbiddenError('SCOPE_REQUIRED');
  if (caller.membership?.role !== 'OWNER' && !(await caller.isAdmin())) throw new ForbiddenError('OWNER_REQUIRED');
  return caller;
}

/**
 * Requires that a user is a member and that the caller may manage members.
 *
 * @throws NotFoundError `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function requireManagedMember(
  { caller, members }: { readonly caller: Caller; readonly members: ReadonlyMap<string, Member> },
  userId: string,
): Promise<Member> {
  const member = members.get(userId);
  if (member === undefined) throw new NotFoundError('MEMBER_NOT_FOUND');
  await requireOwner(caller);
  return member;
}
