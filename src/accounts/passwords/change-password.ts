import { inTransaction } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { recordSelfAuditEvent } from '../audit/record-audit-event.js';
import { hasUnverifiedEmail } from '../identity/account-email.js';
import type { ViewerView } from '../identity/account-loaders.js';
import { requireUser, type Actor, type UserActor } from '../identity/actor.js';
import { getViewer, type GetViewerDeps } from '../identity/get-viewer.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import {
  confirmPassword,
  lockConfirmedAccount,
  type ConfirmPasswordDeps,
  type PasswordConfirmation,
} from './confirm-password.js';
import { requireAcceptablePassword } from './password-policy.js';
import {
  publishPasswordSet,
  setPassword,
  type PasswordSetEffects,
  type PublishPasswordSetDeps,
} from './set-password.js';

export interface ChangePasswordDeps extends GetViewerDeps, ConfirmPasswordDeps, PublishPasswordSetDeps {
  readonly clock: Clock;
  readonly passwordMinLength: number;
}

export interface ChangePasswordParams {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/**
 * Replaces the caller's password and revokes all their sessions but the current one. Also invalidates reset links,
 * removes an unverified email address and sends a notice.
 *
 * @returns the number of revoked sessions
 * @throws UnauthenticatedError with the reason why the token was rejected; `WRONG_CREDENTIALS` for the current password
 * @throws InvalidInputError `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_COMMON` for the new one
 * @throws RateLimitedError after too many wrong passwords
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  actor: Actor,
  { currentPassword, newPassword }: ChangePasswordParams,
  client: ClientInfo,
): Promise<{ revokedSessions: number }> {
  const user = requireUser(actor);
  const viewer = await getViewer(deps, user);
  const { username, email } = viewer;
  const password = requireAcceptablePassword(newPassword, {
    field: 'newPassword',
    minLength: deps.passwordMinLength,
    username,
    email,
  });
  const change = { user, viewer, proof: { password: currentPassword, client }, password };
  const set = (await tryToChange(deps, change)) ?? (await tryToChange(deps, change));
  if (set === null) throw new UnauthenticatedError('WRONG_CREDENTIALS');
  return publishPasswordSet(deps, set);
}

interface AcceptedChange {
  readonly user: UserActor;
  readonly viewer: ViewerView;
  readonly proof: PasswordConfirmation;
  readonly password: string;
}

/** @returns null when the password was replaced concurrently */
async function tryToChange(
  deps: ChangePasswordDeps,
  { user, viewer, proof, password }: AcceptedChange,
): Promise<PasswordSetEffects | null> {
  const confirmedHash = await confirmPassword(deps, viewer, proof);
  const passwordHash = await deps.hasher.hash(password);
  return inTransaction(deps.database, async (em) => {
    const account = await lockConfirmedAccount(em, user.userId, confirmedHash);
    if (account === null) return null;
    const now = deps.clock.now();
    const removed = hasUnverifiedEmail(account) ? { removed: 'unverified-email' } : undefined;
    recordSelfAuditEvent(em, 'password.changed', account.id, now, removed);
    return setPassword(
      em,
      account,
      { passwordHash, exceptSessionId: user.sessionId, notice: 'notify_password_changed' },
      now,
    );
  });
}
