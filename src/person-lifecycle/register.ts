import {
  registerAccount,
  verifyLinkSecret,
  type ClientInfo,
  type IdempotentOperation,
  type RegisterAccountDeps,
  type RegisterAccountParams,
  type RegisterResult,
} from '../accounts/index.js';
import type { TaskPayload } from '../database/index.js';
import { NotFoundError } from '../errors/index.js';
import { isOpenInvitation } from '../groups/index.js';

export interface RegisterParams extends RegisterAccountParams {
  /** The secret of an invitation that a follow-up task claims for the account; null for none. */
  readonly invitation: string | null;
}

/**
 * Registers an account as `registerAccount` does. With an invitation, a follow-up task claims it for the account.
 *
 * @throws NotFoundError `INVITATION_NOT_FOUND` when the invitation cannot be claimed; nothing is registered then
 * @throws as `registerAccount`
 */
export async function register(
  deps: RegisterAccountDeps,
  { invitation, ...account }: RegisterParams,
  client: ClientInfo,
  operation: IdempotentOperation | null = null,
): Promise<RegisterResult> {
  const { password: _, ...input } = { ...account, invitation };
  return registerAccount(deps, account, client, {
    operation: operation === null ? null : { ...operation, input },
    getTaskPayload: () => toTaskPayload(deps, invitation),
  });
}

/** Ids only: the secret can be derived again and is not stored. */
async function toTaskPayload(deps: RegisterAccountDeps, secret: string | null): Promise<TaskPayload> {
  if (secret === null) return {};
  const invitation = verifyLinkSecret(deps.serverSecret, 'invitation', secret);
  if (invitation === null || !(await isOpenInvitation(deps, invitation)))
    throw new NotFoundError('INVITATION_NOT_FOUND');
  return { invitationId: invitation.id, issue: invitation.version };
}
