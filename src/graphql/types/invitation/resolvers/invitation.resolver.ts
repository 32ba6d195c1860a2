import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { UserView } from '../../../../accounts/index.js';
import {
  getInvitedGroup,
  previewInvitation,
  type GroupView,
  type InvitationPreview,
  type InvitationView,
} from '../../../../groups/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { Public } from '../../../policies/public.js';
import { GroupType } from '../../group/group.type.js';
import { UserType } from '../../user/user.type.js';
import { InvitationPreviewType, InvitationType } from '../invitation.type.js';

@Resolver(() => InvitationType)
export class InvitationResolver {
  @Public()
  @Query(() => InvitationPreviewType, {
    description: "What an invitation's link is about. Takes no token and changes nothing.",
  })
  invitation(
    @Arg('secret', () => String, { description: 'What follows `#secret=` in the mailed link.' }) secret: string,
    @Ctx() { groups }: RequestContext,
  ): Promise<InvitationPreview> {
    return previewInvitation(groups, secret);
  }

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
