import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, Info, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { type FollowUpView, type RegisterResult, type ViewerView } from '../../../../accounts/index.js';
import { register } from '../../../../person-lifecycle/index.js';
import { toIdempotentOperation } from '../../../context/idempotent-operation.js';
import type { RequestContext } from '../../../context/request-context.js';
import { EmailAddress } from '../../../leaf-types/scalars.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { MaxEntries } from '../../../policies/cost.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { Public } from '../../../policies/public.js';
import { FollowUpType, MAX_FOLLOW_UPS } from '../../follow-up/follow-up.type.js';
import { ViewerType } from '../viewer.type.js';

@InputType('RegisterInput', { description: 'What it takes to create an account.' })
class RegisterInput {
  @Field(() => String, {
    description:
      '3 to 32 letters, digits, dots, underscores and hyphens, beginning and ending with a letter or digit; unique ' +
      'whatever its case.',
  })
  username!: string;

  @Field(() => String, {
    description: '8 to 128 characters; refused when it is common, or equals the username or the email address.',
  })
  password!: string;

  @Field(() => EmailAddress, {
    nullable: true,
    description: 'At most 254 characters; a verification link is mailed to it.',
  })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name to be shown by, 1 to 80 characters and at most 400 code points; null for none.',
  })
  displayName?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret of an invitation to claim with the new account: what follows `#secret=` in its link; null for none.',
  })
  invitation?: string | null;
}

@ObjectType('RegisterPayload', { description: 'The account that was created.' })
class RegisterPayload {
  @Field(() => ViewerType, { description: 'The new account.' })
  user!: ViewerView;

  @MaxEntries(MAX_FOLLOW_UPS)
  @Field(() => [FollowUpType], { description: 'The tasks that were queued with it.' })
  followUps!: readonly FollowUpView[];
}

@Resolver()
export class RegistrationResolver {
  @Public()
  @AuditedAs('registration', ({ user }: RegisterResult) => ({ userId: user.id }))
  @LimitedPerCaller()
  @Mutation(() => RegisterPayload, { description: 'Creates an account and queues its follow-ups. Takes no token.' })
  register(
    @Arg('input', () => RegisterInput, { description: 'The account to be.' }) input: RegisterInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RegisterResult> {
    const { username, password, email = null, displayName = null, invitation = null } = input;
    const registration = { username, password, email, displayName, invitation };
    return register(context.accounts, registration, context.client, toIdempotentOperation(context, info, registration));
  }
}
