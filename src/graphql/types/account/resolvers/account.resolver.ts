import { Arg, Args, ArgsType, Ctx, Field, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import {
  listAccounts,
  setUserDisabled,
  setUserRole,
  type AccountRole,
  type AccountView,
} from '../../../../accounts/index.js';
import type { ConnectionPage } from '../../../../paging/index.js';
import { PageArgs } from '../../../connections/page-args.js';
import { pageRequest, Selection, type PageSelection } from '../../../connections/page-selection.js';
import type { RequestContext } from '../../../context/request-context.js';
import { AccountRoleEnum } from '../../../leaf-types/account-enums.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { AccountConnection, AccountType } from '../account.type.js';

@ArgsType()
class UsersArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'How the username or the email address begins, in any case; null for all.',
  })
  search?: string | null;
}

@InputType('SetUserDisabledInput', { description: 'Whom to keep out, or to let in again.' })
class SetUserDisabledInput {
  @Field(() => UUID, { description: "Whose account; never one's own." })
  userId!: string;

  @Field(() => Boolean, { description: 'True to keep them out, which ends all their sessions at once.' })
  disabled!: boolean;
}

@InputType('SetUserRoleInput', { description: 'What a person is to be.' })
class SetUserRoleInput {
  @Field(() => UUID, { description: "Whose account; never one's own." })
  userId!: string;

  @Field(() => AccountRoleEnum, { description: '`ADMIN` makes an administrator, `USER` takes that away.' })
  role!: AccountRole;
}

@ObjectType('SetUserDisabledPayload', { description: 'The account after the change.' })
class SetUserDisabledPayload {
  @Field(() => AccountType, { description: 'The account, also when there was nothing to change.' })
  user!: AccountView;
}

@ObjectType('SetUserRolePayload', { description: 'The account after the change.' })
class SetUserRolePayload {
  @Field(() => AccountType, { description: 'The account, also when there was nothing to change.' })
  user!: AccountView;
}

@Resolver()
export class AccountResolver {
  @Query(() => AccountConnection, { description: 'Every account, newest first. Administrators only.' })
  users(
    @Args(() => UsersArgs) args: UsersArgs,
    @Selection() selection: PageSelection,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<ConnectionPage<AccountView>> {
    return listAccounts(accounts, actor, pageRequest(args, selection));
  }

  @AuditedAs('admin-action', ({ user }: SetUserDisabledPayload) => ({ userId: user.id }))
  @LimitedPerCaller()
  @Mutation(() => SetUserDisabledPayload, {
    description: 'Keeps a person out, or lets them in again. Administrators only.',
  })
  async setUserDisabled(
    @Arg('input', () => SetUserDisabledInput, { description: 'Whom.' }) input: SetUserDisabledInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<SetUserDisabledPayload> {
    return { user: await setUserDisabled(accounts, actor, input) };
  }

  @AuditedAs('admin-action', ({ user }: SetUserRolePayload) => ({ userId: user.id }))
  @LimitedPerCaller()
  @Mutation(() => SetUserRolePayload, {
    description:
      'Gives a person the rights of an administrator, or takes them; their sessions end. Administrators only.',
  })
  async setUserRole(
    @Arg('input', () => SetUserRoleInput, { description: 'Whom, and what.' }) input: SetUserRoleInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<SetUserRolePayload> {
    return { user: await setUserRole(accounts, actor, input) };
  }
}
