import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import {
  getViewer,
  listSessions,
  MAX_SESSIONS_PER_ACCOUNT,
  requireSelf,
  type FollowUpView,
  type SessionView,
  type ViewerView,
} from '../../../../accounts/index.js';
import {
  listInbox,
  listMemberships,
  type GroupState,
  type InvitationView,
  type MembershipView,
  type ResponseStatus,
} from '../../../../groups/index.js';
import type { ConnectionPage } from '../../../../paging/index.js';
import { exportAccount, MAX_EXPORT_ROWS } from '../../../../person-lifecycle/index.js';
import { PageArgs } from '../../../connections/page-args.js';
import { pageRequest, Selection, type PageSelection } from '../../../connections/page-selection.js';
import { oncePerRequest } from '../../../context/once-per-request.js';
import type { RequestContext } from '../../../context/request-context.js';
import { GroupStateEnum, ResponseStatusEnum } from '../../../leaf-types/group-enums.js';
import { JSONValue } from '../../../leaf-types/scalars.js';
import { Cost, MaxEntries } from '../../../policies/cost.js';
import { DeletionPreviewType } from '../../deletion-preview/deletion-preview.type.js';
import { FollowUpType, MAX_FOLLOW_UPS } from '../../follow-up/follow-up.type.js';
import { InvitationConnection } from '../../invitation/invitation.type.js';
import { MemberConnection } from '../../member/member.type.js';
import { SessionType } from '../../session/session.type.js';
import { ViewerType } from '../viewer.type.js';

/** Cost of one record of an export. */
const COST_PER_RECORD = 5;

@ArgsType()
class MembershipsArgs extends PageArgs {
  @Field(() => ResponseStatusEnum, { nullable: true, description: 'Only places with this answer; null for all.' })
  status?: ResponseStatus | null;

  @Field(() => GroupStateEnum, {
    nullable: true,
    description: 'Only places in groups that have this state at this moment; null for all.',
  })
  groupState?: GroupState | null;
}

@Resolver(() => ViewerType)
export class ViewerResolver {
  @Query(() => ViewerType, { description: 'The signed-in person.' })
  me(@Ctx() { accounts, actor }: RequestContext): Promise<ViewerView> {
    return getViewer(accounts, actor);
  }

  @MaxEntries(MAX_FOLLOW_UPS)
  @FieldResolver(() => [FollowUpType], {
    description: 'The tasks that their registration queued, with how far they have come.',
  })
  async followUps(@Root() viewer: ViewerView, @Ctx() { accounts, actor }: RequestContext): Promise<FollowUpView[]> {
    return accounts.loaders.followUps(requireSelf(actor, viewer.id).userId);
  }

  @MaxEntries(MAX_SESSIONS_PER_ACCOUNT)
  @FieldResolver(() => [SessionType], { description: 'Their logins that stand, the one used last first.' })
  async sessions(@Root() viewer: ViewerView, @Ctx() { accounts, actor }: RequestContext): Promise<SessionView[]> {
    return listSessions(accounts, actor, requireSelf(actor, viewer.id).userId);
  }

  @FieldResolver(() => MemberConnection, {
    description: 'Every place that they have in a group, the newest first. Takes their token.',
  })
  memberships(
    @Root() viewer: ViewerView,
    @Args(() => MembershipsArgs) args: MembershipsArgs,
    @Selection() selection: PageSelection,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<ConnectionPage<MembershipView>> {
    return listMemberships(groups, actor, viewer.id, pageRequest(args, selection));
  }

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

  @FieldResolver(() => DeletionPreviewType, {
    description: 'What deleting the account would lead to. Takes their token.',
  })
  deletionPreview(@Root() viewer: ViewerView, @Ctx() { actor }: RequestContext): DeletionPreviewType {
    return { userId: requireSelf(actor, viewer.id).userId };
  }

  @Cost(MAX_EXPORT_ROWS * COST_PER_RECORD)
  @FieldResolver(() => JSONValue, {
    description:
      'Everything that is held about the account, as a document of at most 2,000 records. Its `next`, sent as ' +
      '`after`, gives the ' +
      'document that follows; it is null in the last. Takes their token.',
  })
  export(
    @Root() viewer: ViewerView,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The `next` of the document before; null for the first.',
    })
    after: string | null,
    @Ctx() context: RequestContext,
  ): Promise<unknown> {
    return oncePerRequest(context, `export ${viewer.id} ${after ?? ''}`, () =>
      exportAccount(context.groups, context.actor, viewer.id, after),
    );
  }
}
