import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { requestEmailVerification, verifyEmail, type ViewerView } from '../../../../accounts/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { AuditedAs, NotAudited } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { Public } from '../../../policies/public.js';
import { ViewerType } from '../viewer.type.js';

@InputType('VerifyEmailInput', { description: 'What proves an email address.' })
class VerifyEmailInput {
  @Field(() => String, { description: 'The secret from the mailed link: what follows `#secret=`.' })
  secret!: string;
}

@ObjectType('RequestEmailVerificationPayload', { description: 'What came of asking for a verification link.' })
class RequestEmailVerificationPayload {
  @Field(() => Boolean, {
    description: 'Whether a mail is on its way: false without an address, or when it is verified already.',
  })
  sent!: boolean;
}

@ObjectType('VerifyEmailPayload', { description: 'The account whose address was proven.' })
class VerifyEmailPayload {
  @Field(() => ViewerType, { description: 'The account, with its address verified.' })
  user!: ViewerView;
}

@Resolver()
export class EmailVerificationResolver {
  @NotAudited()
  @LimitedPerCaller()
  @Mutation(() => RequestEmailVerificationPayload, {
    description: "Mails a new verification link to one's address; earlier links stop working.",
  })
  requestEmailVerification(@Ctx() { accounts, actor }: RequestContext): Promise<RequestEmailVerificationPayload> {
    return requestEmailVerification(accounts, actor);
  }

  @Public()
  @AuditedAs('email-verified', ({ user }: VerifyEmailPayload) => ({ userId: user.id }))
  @LimitedPerCaller()
  @Mutation(() => VerifyEmailPayload, {
    description: 'Proves an email address with the secret from a mailed link. Takes no token; the secret works once.',
  })
  async verifyEmail(
    @Arg('input', () => VerifyEmailInput, { description: 'The proof.' }) input: VerifyEmailInput,
    @Ctx() { accounts }: RequestContext,
  ): Promise<VerifyEmailPayload> {
    return { user: await verifyEmail(accounts, input.secret) };
  }
}
