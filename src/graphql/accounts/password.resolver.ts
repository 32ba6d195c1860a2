import { Arg, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { changePassword, requestPasswordReset, resetPassword } from '../../accounts/index.js';
import type { RequestContext } from '../context/request-context.js';
import { PUBLIC_FIELD } from '../execution/requires-authentication.js';
import { ChangePasswordInput, RequestPasswordResetInput, ResetPasswordInput } from './password-inputs.js';
import { ChangePasswordPayload, RequestPasswordResetPayload, ResetPasswordPayload } from './password-payloads.js';

@Resolver()
export class PasswordResolver {
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

  @Extensions(PUBLIC_FIELD)
  @Mutation(() => RequestPasswordResetPayload, {
    description: "Mails a link that resets the password, if the address is somebody's verified one. Takes no token.",
  })
  requestPasswordReset(
    @Arg('input', () => RequestPasswordResetInput, { description: 'Whose password is to be reset.' })
    { email }: RequestPasswordResetInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<RequestPasswordResetPayload> {
    return requestPasswordReset(accounts, email, client);
  }

  @Extensions(PUBLIC_FIELD)
  @Mutation(() => ResetPasswordPayload, {
    description:
      'Sets a new password with the secret from a mailed link, and ends every session. Takes no token; the secret works once.',
  })
  resetPassword(
    @Arg('input', () => ResetPasswordInput, { description: 'The secret and the new password.' })
    input: ResetPasswordInput,
    @Ctx() { accounts, client }: RequestContext,
  ): Promise<ResetPasswordPayload> {
    return resetPassword(accounts, input, client);
  }
}
