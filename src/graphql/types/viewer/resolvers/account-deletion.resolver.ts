import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { deleteAccount } from '../../../../person-lifecycle/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';

@InputType('DeleteAccountInput', { description: "What it takes to delete one's account." })
class DeleteAccountInput {
  @Field(() => String, { description: 'The current password.' })
  password!: string;
}

@ObjectType('DeleteAccountPayload', { description: 'The account that is gone.' })
class DeleteAccountPayload {
  @Field(() => ID, { description: 'Whose account it was.' })
  deletedUserId!: string;
}

@Resolver()
export class AccountDeletionResolver {
  @AuditedAs('account-deleted')
  @LimitedPerCaller()
  @Mutation(() => DeleteAccountPayload, {
    description:
      'Deletes the account that asks, for good: its tokens are dead at once, and its groups go on without it. ' +
      '`deletionPreview` shows what that leads to.',
  })
  deleteAccount(
    @Arg('input', () => DeleteAccountInput, { description: 'The proof that it is its owner who asks.' })
    { password }: DeleteAccountInput,
    @Ctx() { accounts, groups, actor, client }: RequestContext,
  ): Promise<DeleteAccountPayload> {
    return deleteAccount({ ...accounts, writeQueue: groups.writeQueue }, actor, password, client);
  }
}
