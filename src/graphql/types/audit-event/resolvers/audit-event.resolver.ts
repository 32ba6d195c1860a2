import { Args, ArgsType, Ctx, Field, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { listAuditEvents, type AuditEventView, type UserView } from '../../../../accounts/index.js';
import type { ConnectionPage } from '../../../../paging/index.js';
import { PageArgs } from '../../../connections/page-args.js';
import { pageRequest, Selection, type PageSelection } from '../../../connections/page-selection.js';
import type { RequestContext } from '../../../context/request-context.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { UserType } from '../../user/user.type.js';
import { AuditEventConnection, AuditEventType } from '../audit-event.type.js';

@ArgsType()
class AuditEventsArgs extends PageArgs {
  @Field(() => UUID, { nullable: true, description: 'Only what this person did, or what concerns them; null for all.' })
  userId?: string | null;
}

@Resolver(() => AuditEventType)
export class AuditEventResolver {
  @Query(() => AuditEventConnection, {
    description: 'What was done that matters to security, newest first. Administrators only.',
  })
  auditEvents(
    @Args(() => AuditEventsArgs) args: AuditEventsArgs,
    @Selection() selection: PageSelection,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<ConnectionPage<AuditEventView>> {
    return listAuditEvents(accounts, actor, pageRequest(args, selection));
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Who did it; null for the command line and the clock, and when the account is gone.',
  })
  async actor(@Root() { actorId }: AuditEventView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return actorId === null ? null : accounts.loaders.user(actorId);
  }

  @FieldResolver(() => UserType, {
    nullable: true,
    description: 'Whose account it concerns; null when it concerns none, and when that is gone.',
  })
  async subject(@Root() { subjectId }: AuditEventView, @Ctx() { accounts }: RequestContext): Promise<UserView | null> {
    return subjectId === null ? null : accounts.loaders.user(subjectId);
  }
}
