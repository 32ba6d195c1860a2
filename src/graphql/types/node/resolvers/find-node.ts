import type { ClassType } from 'type-graphql';
import { DomainError } from '../../../../errors/index.js';
import {
  findChange,
  findInvitation,
  findMember,
  findScore,
  getGroup,
  type GroupView,
} from '../../../../groups/index.js';
import { getUser } from '../../../../person-lifecycle/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { parseNodeId, type NodeReference } from '../../../node-ids/node-id.js';
import { CompatibilityScoreType } from '../../compatibility-score/compatibility-score.type.js';
import { GroupChangeType } from '../../group-change/group-change.type.js';
import { GroupType } from '../../group/group.type.js';
import { InvitationType } from '../../invitation/invitation.type.js';
import { MemberType } from '../../member/member.type.js';
import { UserType } from '../../user/user.type.js';

type GroupPartReference = Exclude<NodeReference, { readonly kind: 'uuid' }>;

/**
 * Finds an object by its id, under the access rules of the fields that return the object otherwise.
 *
 * The number of statements is the same for any number of ids that one iteration of the event loop asks for.
 *
 * @returns null for an unknown or malformed id, and for an object that is hidden from the caller
 */
export async function findNode(context: RequestContext, id: string): Promise<object | null> {
  const reference = parseNodeId(id);
  if (reference === null) return null;
  return reference.kind === 'uuid' ? findByUuid(context, reference.id) : findPartOfGroup(context, reference);
}

/** @returns null for an unknown or malformed id, and for a group that is hidden from the caller */
export async function findGroup({ groups, actor }: RequestContext, id: string): Promise<object | null> {
  if (parseNodeId(id)?.kind !== 'uuid') return null;
  return typed(GroupType, await nullIfHidden(getGroup(groups, actor, id)));
}

/** @returns null for an unknown or malformed id, and for a user who is hidden from the caller */
export async function findUser({ groups, actor }: RequestContext, id: string): Promise<object | null> {
  if (parseNodeId(id)?.kind !== 'uuid') return null;
  return typed(UserType, await nullIfHidden(getUser(groups, actor, id)));
}

async function findByUuid(context: RequestContext, id: string): Promise<object | null> {
  const { groups, actor } = context;
  const [group, user, invitation] = await Promise.all([
    findGroup(context, id),
    findUser(context, id),
    findInvitation(groups, actor, id),
  ]);
  return group ?? user ?? typed(InvitationType, invitation);
}

async function findPartOfGroup(context: RequestContext, reference: GroupPartReference): Promise<object | null> {
  const { groups, actor } = context;
  const group = await nullIfHidden(getGroup(groups, actor, reference.groupId));
  if (group === null) return null;
  switch (reference.kind) {
    case 'member':
      return typed(MemberType, await findMembership(context, group, reference.userId));
    case 'change':
      return typed(GroupChangeType, await findChange(groups, actor, group, reference.revision));
    case 'score':
      return typed(CompatibilityScoreType, await findScore(groups, actor, group, reference.sequence));
  }
}

async function findMembership(
  { groups, actor }: RequestContext,
  group: GroupView,
  userId: string,
): Promise<object | null> {
  const member = await findMember(groups, actor, group, userId);
  return member && { ...member, group };
}

/** Copies a view into an instance of its object type, which tells the type. */
function typed(objectType: ClassType, view: object | null): object | null {
  return view && Object.assign(new objectType(), view);
}

/** Errors of access become null, so that an id tells nothing of what exists. */
async function nullIfHidden<View>(read: Promise<View>): Promise<View | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}
