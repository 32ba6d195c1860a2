import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { issueToken, refreshSession, revokeSession, revokeToken, type ViewerView } from '../../../../accounts/index.js';
import { type RevokeTokenResult } from '../../../../accounts/sessions/revoke-token.js';
import type { RequestContext } from '../../../context/request-context.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { Public } from '../../../policies/public.js';
import { ViewerType } from '../../viewer/viewer.type.js';

@InputType('IssueTokenInput', { description: 'What a person logs in with.' })
class IssueTokenInput {
  @Field(() => String, { description: 'The username in any case, or the verified email address.' })
  username!: string;

  @Field(() => String, { description: 'The password.' })
  password!: string;
}

@InputType('RefreshTokenInput', { description: 'What a session is renewed with.' })
class RefreshTokenInput {
  @Field(() => String, { description: 'The latest refresh token of the session.' })
  refreshToken!: string;
}

@InputType('RevokeTokenInput', { description: 'Which session to end.' })
class RevokeTokenInput {
  @Field(() => String, {
    nullable: true,
    description:
      'A refresh token of the session, however old, or an access token of it. Null for the session that asks, which ' +
      'takes its access token.',
  })
  refreshToken?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether to end every session of the same person.' })
  everywhere!: boolean;
}

@InputType('RevokeSessionInput', { description: "Which of one's sessions to end." })
class RevokeSessionInput {
  @Field(() => UUID, { description: 'The session, as `Viewer.sessions` lists it.' })
  sessionId!: string;
}

@ObjectType('TokenPayload', { description: 'An access token, what to renew it with, and whom they stand for.' })
class TokenPayload {
  @Field(() => String, { description: 'The access token: a JWT, to be sent as `Authorization: Bearer <token>`.' })
  accessToken!: string;

  @Field(() => String, { description: 'How the token is presented; always `bearer`.' })
  tokenType!: string;

  @Field(() => Int, { description: 'For how many seconds the access token is valid.' })
  expiresIn!: number;

  @Field(() => String, {
    description: 'The refresh token: exchanges for the next pair of tokens, once; to be kept as secret as a password.',
  })
  refreshToken!: string;

  @Field(() => ViewerType, { description: 'The person it was issued to.' })
  user!: ViewerView;
}

@ObjectType('RevokeTokenPayload', { description: 'What came of logging out.' })
class RevokeTokenPayload {
  @Field(() => Int, { description: 'How many sessions ended; 0 when the token is not known or its session had ended.' })
  revokedSessions!: number;
}

@ObjectType('RevokeSessionPayload', { description: 'What came of ending a session.' })
class RevokeSessionPayload {
  @Field(() => Int, { description: 'How many sessions ended: 1.' })
  revokedSessions!: number;
}

@Resolver()
export class SessionResolver {
  @Public()
  @AuditedAs('login', ({ user }: TokenPayload) => ({ userId: user.id }))
  @LimitedPerCaller()
  @Mutation(() => TokenPayload, {
    description: 'Exchanges a username and a password for an access token. Takes no token.',
  })
  async issueToken(
    @Arg('input', () => IssueTokenInput, { description: 'Who logs in.' }) input: IssueTokenInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<TokenPayload> {
    return { ...(await issueToken(accounts, input, client)), tokenType: 'bearer' };
  }

  @Public()
  @AuditedAs('refresh', ({ user }: TokenPayload) => ({ userId: user.id }))
  @LimitedPerCaller()
  @Mutation(() => TokenPayload, {
    description:
      'Exchanges a refresh token for an access token and the next refresh token. Takes no access token. A refresh ' +
      'token is good once: used again after 10 seconds, or after its successor, it ends the session.',
  })
  async refreshToken(
    @Arg('input', () => RefreshTokenInput, { description: 'The refresh token.' }) input: RefreshTokenInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<TokenPayload> {
    return { ...(await refreshSession(accounts, input.refreshToken, client)), tokenType: 'bearer' };
  }

  @Public()
  @AuditedAs(revocationEvent, ({ userId }: RevokeTokenResult) => ({ userId: userId ?? undefined }))
  @LimitedPerCaller()
  @Mutation(() => RevokeTokenPayload, {
    description:
      'Logs out: ends the session of a refresh token, or the one that asks, or every session of that person. A ' +
      'token that is not known is no error.',
  })
  revokeToken(
    @Arg('input', () => RevokeTokenInput, { description: 'What to end.' })
    { refreshToken = null, everywhere }: RevokeTokenInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RevokeTokenResult> {
    return revokeToken(accounts, actor, { token: refreshToken, everywhere });
  }

  @AuditedAs('revocation')
  @LimitedPerCaller()
  @Mutation(() => RevokeSessionPayload, { description: "Ends one of one's own sessions, with all of its tokens." })
  revokeSession(
    @Arg('input', () => RevokeSessionInput, { description: 'The session to end.' }) { sessionId }: RevokeSessionInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RevokeSessionPayload> {
    return revokeSession(accounts, actor, sessionId);
  }
}

/** Revoking an unknown token is no error. It revokes nothing and emits no event. */
function revocationEvent({ revokedSessions }: RevokeTokenResult): string | null {
  return revokedSessions === 0 ? null : 'revocation';
}
