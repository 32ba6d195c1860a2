import { Arg, Ctx, Extensions, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import {
  listSessions,
  MAX_SESSIONS_PER_ACCOUNT,
  refreshSession,
  requireSelf,
  revokeSession,
  revokeToken,
  type SessionView,
  type ViewerView,
} from '../../accounts/index.js';
import type { RequestContext } from '../context/request-context.js';
import { atMost } from '../policies/cost.js';
import { PUBLIC_FIELD } from '../execution/requires-authentication.js';
import { TokenPayload } from './payloads.js';
import { RefreshTokenInput, RevokeSessionInput, RevokeTokenInput } from './session-inputs.js';
import { RevokeSessionPayload, RevokeTokenPayload } from './session-payloads.js';
import { SessionType } from './session.type.js';
import { ViewerType } from './viewer.type.js';

@Resolver(() => ViewerType)
export class SessionResolver {
  @Extensions(atMost(MAX_SESSIONS_PER_ACCOUNT))
  @FieldResolver(() => [SessionType], { description: 'Their logins that stand, the one used last first.' })
  async sessions(@Root() viewer: ViewerView, @Ctx() { accounts, actor }: RequestContext): Promise<SessionView[]> {
    return listSessions(accounts, actor, requireSelf(actor, viewer.id).userId);
  }

  @Extensions(PUBLIC_FIELD)
  @Mutation(() => TokenPayload, {
    description:
      'Exchanges a refresh token for an access token and the next refresh token. Takes no access token. A refresh token is good once: used again after 10 seconds, or after its successor, it ends the session.',
  })
  async refreshToken(
    @Arg('input', () => RefreshTokenInput, { description: 'The refresh token.' }) input: RefreshTokenInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<TokenPayload> {
    return { ...(await refreshSession(accounts, input.refreshToken, client)), tokenType: 'bearer' };
  }

  @Extensions(PUBLIC_FIELD)
  @Mutation(() => RevokeTokenPayload, {
    description:
      'Logs out: ends the session of a refresh token, or the one that asks, or every session of that person. A token that is not known is no error.',
  })
  revokeToken(
    @Arg('input', () => RevokeTokenInput, { description: 'What to end.' })
    { refreshToken = null, everywhere }: RevokeTokenInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RevokeTokenPayload> {
    return revokeToken(accounts, actor, { token: refreshToken, everywhere });
  }

  @Mutation(() => RevokeSessionPayload, { description: "Ends one of one's own sessions, with all of its tokens." })
  revokeSession(
    @Arg('input', () => RevokeSessionInput, { description: 'The session to end.' }) { sessionId }: RevokeSessionInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RevokeSessionPayload> {
    return revokeSession(accounts, actor, sessionId);
  }
}
