import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Info, Mutation, Query, Resolver } from 'type-graphql';
import {
  getViewer,
  issueToken,
  requestEmailVerification,
  verifyEmail,
  type RegisterResult,
  type ViewerView,
} from '../../accounts/index.js';
import { register } from '../../person-lifecycle/index.js';
import type { RequestContext } from '../context.js';
import { toIdempotentOperation } from '../idempotent-operation.js';
import { PUBLIC_FIELD } from '../requires-authentication.js';
import { IssueTokenInput, RegisterInput, VerifyEmailInput } from './inputs.js';
import { RegisterPayload, RequestEmailVerificationPayload, TokenPayload, VerifyEmailPayload } from './payloads.js';
import { ViewerType } from './viewer.type.js';

@Resolver()
export class AccountResolver {
  @Query(() => ViewerType, { description: 'The signed-in person.' })
  me(@Ctx() { accounts, actor }: RequestContext): Promise<ViewerView> {
    return getViewer(accounts, actor);
  }

  @Extensions(PUBLIC_FIELD)
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

  @Extensions(PUBLIC_FIELD)
  @Mutation(() => TokenPayload, {
    description: 'Exchanges a username and a password for an access token. Takes no token.',
  })
  async issueToken(
    @Arg('input', () => IssueTokenInput, { description: 'Who logs in.' }) input: IssueTokenInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<TokenPayload> {
    return { ...(await issueToken(accounts, input, client)), tokenType: 'bearer' };
  }

  @Mutation(() => RequestEmailVerificationPayload, {
    description: "Mails a new verification link to one's address; earlier links stop working.",
  })
  requestEmailVerification(@Ctx() { accounts, actor }: RequestContext): Promise<RequestEmailVerificationPayload> {
    return requestEmailVerification(accounts, actor);
  }

  @Extensions(PUBLIC_FIELD)
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
