import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { changePassword, requestPasswordReset, resetPassword } from '../../../../accounts/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { EmailAddress } from '../../../leaf-types/scalars.js';
import { AuditedAs, NotAudited } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { Public } from '../../../policies/public.js';

@InputType('ChangePasswordInput', { description: 'A new password, and the one that it replaces.' })
class ChangePasswordInput {
  @Field(() => String, { description: 'The password so far.' })
  currentPassword!: string;

  @Field(() => String, {
    description: '8 to 128 characters; refused when it is common, or equals the username or the email address.',
  })
  newPassword!: string;
}

@InputType('RequestPasswordResetInput', { description: 'Where the link is to be sent.' })
class RequestPasswordResetInput {
  @Field(() => EmailAddress, { description: 'The verified email address of the account.' })
  email!: string;
}

@InputType('ResetPasswordInput', { description: 'A new password, and what proves that it may be set.' })
class ResetPasswordInput {
  @Field(() => String, { description: 'The secret from the mailed link: what follows `#secret=`.' })
  secret!: string;

  @Field(() => String, {
    description: '8 to 128 characters; refused when it is common, or equals the username or the email address.',
  })
  newPassword!: string;
}

@ObjectType('ChangePasswordPayload', { description: 'What came of changing the password.' })
class ChangePasswordPayload {
  @Field(() => Int, { description: 'How many other sessions ended with it.' })
  revokedSessions!: number;
}

@ObjectType('RequestPasswordResetPayload', { description: 'What is told of a request for a reset link.' })
class RequestPasswordResetPayload {
  @Field(() => Boolean, { description: 'Always true: whether there is such an account is told by mail only.' })
  accepted!: boolean;
}

@ObjectType('ResetPasswordPayload', { description: 'What came of resetting the password.' })
class ResetPasswordPayload {
  @Field(() => Int, { description: 'How many sessions ended with it: all that there were.' })
  revokedSessions!: number;
}

@Resolver()
export class PasswordResolver {
  @AuditedAs('password-changed')
  @LimitedPerCaller()
  @Mutation(() => ChangePasswordPayload, {
    description: "Replaces one's password and ends one's other sessions. Removes an unverified email address.",
  })
  changePassword(
    @Arg('input', () => ChangePasswordInput, { description: 'The old and the new password.' })
    input: ChangePasswordInput,
    @Ctx() { accounts, actor, client }: RequestContext,
  ): Promise<ChangePasswordPayload> {
    return changePassword(accounts, actor, input, client);
  }

  @Public()
  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => RequestPasswordResetPayload, {
    description: 'Mails a link that resets the password, if it is the verified address of an account. Takes no token.',
  })
  requestPasswordReset(
    @Arg('input', () => RequestPasswordResetInput, { description: 'Whose password is to be reset.' })
    { email }: RequestPasswordResetInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<RequestPasswordResetPayload> {
    return requestPasswordReset(accounts, email, client);
  }

  @Public()
  @AuditedAs('password-reset', ({ userId }: { readonly userId: string }) => ({ userId }))
  @LimitedPerCaller()
  @Mutation(() => ResetPasswordPayload, {
    description:
      'Sets a new password with the secret from a mailed link, and ends every session. Takes no token; the secret ' +
      'works once.',
  })
  resetPassword(
    @Arg('input', () => ResetPasswordInput, { description: 'The secret and the new password.' })
    input: ResetPasswordInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<ResetPasswordPayload & { readonly userId: string }> {
    return resetPassword(accounts, input, client);
  }
}
