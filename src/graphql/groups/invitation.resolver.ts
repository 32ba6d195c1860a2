import {
  Arg,
  Args,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { requireSelf, type UserView } from '../../accounts/index.js';
import {
  claimInvitation,
  getInvitedGroup,
  listGroupInvitations,
  listInbox,
  previewInvitation,
  revokeInvitation,
  type GroupView,
  type InvitationPreview,
  type InvitationView,
  type MemberView,
  type ResponseStatus,
} from '../../groups/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import { UserType } from '../accounts/user.type.js';
import { ViewerType } from '../accounts/viewer.type.js';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../page-args.js';
import { pageRequest, Selection, type PageSelection } from '../page-selection.js';
import { PUBLIC_FIELD } from '../requires-authentication.js';
import { UUID } from '../scalars.js';
import { ResponseStatusEnum } from './enums.js';
import { GroupType } from './group.type.js';
import { InvitationConnection, InvitationPreviewType, InvitationType } from './invitation.type.js';
import { MemberType } from './member.type.js';

@InputType('ClaimInvitationInput', {
  description: "An invitation to claim, by its secret or from one's inbox, with an answer.",
})
class ClaimInvitationInput {
  @Field(() => String, {
    nullable: true,
    description: 'What follows `#secret=` in the mailed link; null to name the invitation by its id.',
  })
  secret?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: "An invitation to one's own verified address; null to name it by its secret.",
  })
  invitationId?: string | null;

  @Field(() => ResponseStatusEnum, {
    defaultValue: 'PENDING',
    description: 'The answer; PENDING takes the place and leaves the answer for later.',
  })
  status!: ResponseStatus;
}

@InputType('RevokeInvitationInput', { description: 'An invitation to take back.' })
class RevokeInvitationInput {
  @Field(() => UUID, { description: 'Which invitation.' })
  invitationId!: string;
}

@ObjectType('ClaimInvitationPayload', { description: 'The place that was claimed.' })
class ClaimInvitationPayload {
  @Field(() => MemberType, { description: "The caller's place, with their answer." })
  member!: MemberView;
}

@ObjectType('RevokeInvitationPayload', { description: 'The group without the invitation.' })
class RevokeInvitationPayload {
  @Field(() => GroupType, { description: 'The group with its new counts.' })
  group!: GroupView;
}

@Resolver()
export class InvitationResolver {
  @Extensions(PUBLIC_FIELD)
  @Query(() => InvitationPreviewType, {
    description: "What an invitation's link is about. Takes no token and changes nothing.",
  })
  invitation(
    @Arg('secret', () => String, { description: 'What follows `#secret=` in the mailed link.' }) secret: string,
    @Ctx() { groups }: RequestContext,
  ): Promise<InvitationPreview> {
    return previewInvitation(groups, secret);
  }

  @Mutation(() => ClaimInvitationPayload, { description: 'Takes the offered place in a group, or declines it.' })
  claimInvitation(
    @Arg('input', () => ClaimInvitationInput, { description: 'Which invitation, and the answer.' })
    input: ClaimInvitationInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ClaimInvitationPayload> {
    return claimInvitation(groups, actor, input);
  }

  @Mutation(() => RevokeInvitationPayload, {
    description: 'Takes back an invitation; its link stops working. Owners and administrators only.',
  })
  revokeInvitation(
    @Arg('input', () => RevokeInvitationInput, { description: 'Which invitation.' }) input: RevokeInvitationInput,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<RevokeInvitationPayload> {
    return revokeInvitation(groups, actor, input);
  }
}

@Resolver(() => InvitationType)
export class InvitationFieldsResolver {
  @FieldResolver(() => GroupType, {
    description: 'The group; who is in it can be seen once the invitation is claimed.',
  })
  group(@Root() invitation: InvitationView, @Ctx() { groups, actor }: RequestContext): Promise<GroupView> {
    return getInvitedGroup(groups, actor, invitation);
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: "Who invites; null when the inviter's account is gone.",
  })
  async invitedBy(@Root() invitation: InvitationView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return invitation.invitedById === null ? null : accounts.loaders.user(invitation.invitedById);
  }
}

@Resolver(() => GroupType)
export class GroupInvitationsResolver {
  @FieldResolver(() => InvitationConnection, {
    nullable: true,
    description:
      'The invitations that nobody has answered, expired ones among them; null for all but owners and administrators.',
  })
  invitations(
    @Root() group: GroupView,
    @Args(() => PageArgs) args: PageArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<InvitationView> | null> {
    return listGroupInvitations(groups, actor, group, pageRequest(args, selection));
  }
}

@Resolver(() => ViewerType)
export class InboxResolver {
  @FieldResolver(() => InvitationConnection, {
    description: 'What is open to their verified email address; empty without one.',
  })
  async invitations(
    @Root() viewer: { readonly id: string },
    @Args(() => PageArgs) args: PageArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<InvitationView>> {
    return listInbox(groups, requireSelf(actor, viewer.id).userId, pageRequest(args, selection));
  }
}
