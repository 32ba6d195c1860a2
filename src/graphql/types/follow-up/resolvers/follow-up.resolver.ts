import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  listFollowUps,
  retryFollowUp,
  type FollowUpView,
  type TaskStatus,
  type UserView,
} from '../../../../accounts/index.js';
import type { ConnectionPage } from '../../../../paging/index.js';
import { PageArgs } from '../../../connections/page-args.js';
import { pageRequest, Selection, type PageSelection } from '../../../connections/page-selection.js';
import type { RequestContext } from '../../../context/request-context.js';
import { FollowUpStatusEnum } from '../../../leaf-types/account-enums.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { requireFound } from '../../user/require-found.js';
import { UserType } from '../../user/user.type.js';
import { FollowUpConnection, FollowUpType } from '../follow-up.type.js';

@ArgsType()
class FollowUpsArgs extends PageArgs {
  @Field(() => FollowUpStatusEnum, { nullable: true, description: 'Only those that are this far; null for all.' })
  status?: TaskStatus | null;
}

@InputType('RetryFollowUpInput', { description: 'What to try again.' })
class RetryFollowUpInput {
  @Field(() => UUID, { description: 'A follow-up that has failed.' })
  followUpId!: string;
}

@ObjectType('RetryFollowUpPayload', { description: 'The follow-up that is tried again.' })
class RetryFollowUpPayload {
  @Field(() => FollowUpType, { description: 'The follow-up, queued again with all its attempts.' })
  followUp!: FollowUpView;
}

/** A follow-up of any query. Only queries of administrators read `lastError`. */
type FollowUpRoot = FollowUpView & { readonly lastError?: string | null };

@Resolver(() => FollowUpType)
export class FollowUpResolver {
  @Query(() => FollowUpConnection, {
    description: 'What registrations owe, of all accounts, newest first. Administrators only.',
  })
  followUps(
    @Args(() => FollowUpsArgs) args: FollowUpsArgs,
    @Selection() selection: PageSelection,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<ConnectionPage<FollowUpView>> {
    return listFollowUps(accounts, actor, pageRequest(args, selection));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why its last attempt failed; null when none has, and for all but administrators.',
  })
  lastError(@Root() { lastError = null }: FollowUpRoot): string | null {
    return lastError;
  }

  @FieldResolver(() => UserType, { description: 'Whose registration owes it.' })
  async user(@Root() { userId }: FollowUpRoot, @Ctx() { accounts }: RequestContext): Promise<UserView> {
    return requireFound(await accounts.loaders.user(userId));
  }

  @AuditedAs('admin-action', ({ followUp }: RetryFollowUpPayload) => ({ userId: followUp.userId }))
  @LimitedPerCaller()
  @Mutation(() => RetryFollowUpPayload, {
    description: 'Has a follow-up that was given up tried again. Administrators only.',
  })
  async retryFollowUp(
    @Arg('input', () => RetryFollowUpInput, { description: 'Which one.' }) { followUpId }: RetryFollowUpInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RetryFollowUpPayload> {
    return { followUp: await retryFollowUp(accounts, actor, followUpId) };
  }
}
