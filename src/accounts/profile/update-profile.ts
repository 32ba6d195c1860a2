import { inTransaction, type Database } from '../../database/index.js';
import { FieldErrorCollector } from '../../errors/index.js';
import { changeEmail, type ChangeEmailDeps } from '../email/change-email.js';
import type { ViewerView } from '../identity/account-loaders.js';
import { requireUser, type Actor } from '../identity/actor.js';
import { getViewer, type GetViewerDeps } from '../identity/get-viewer.js';
import { requireLockedAccount } from '../identity/locked-account.js';
import { toViewerView } from '../identity/view-mappers.js';
import { validateEmail } from '../input/email.js';
import { normalizeText, validateDisplayName } from '../input/text-validation.js';
import type { ClientInfo } from '../ports/client-info.js';

export interface UpdateProfileDeps extends GetViewerDeps, ChangeEmailDeps {}

/** An absent field stays unchanged, null clears it. */
export interface UpdateProfileParams {
  readonly displayName?: string | null | undefined;
  readonly email?: string | null | undefined;
  /** Required to change or clear the email address. */
  readonly currentPassword: string | null;
}

export interface UpdateProfileResult extends ViewerView {
  /** Whether another address was given, or the present one removed. */
  readonly isChangingEmail: boolean;
}

/**
 * Changes the caller's display name and email address; the address as `changeEmail`.
 *
 * @throws InvalidInputError naming every invalid field
 * @throws UnauthenticatedError with the reason why the token was rejected; `WRONG_CREDENTIALS` for the password, and
 *   then nothing is changed
 * @throws RateLimitedError after too many wrong passwords, or too many mails to the address
 */
export async function updateProfile(
  deps: UpdateProfileDeps,
  actor: Actor,
  changes: UpdateProfileParams,
  client: ClientInfo,
): Promise<UpdateProfileResult> {
  const viewer = await getViewer(deps, requireUser(actor));
  const { displayName, email, currentPassword: password } = changes;
  const isOtherEmail = email !== undefined && email !== viewer.email;
  new FieldErrorCollector()
    .check('displayName', displayName == null ? null : validateDisplayName(displayName))
    .check('email', email == null ? null : validateEmail(email))
    .check('currentPassword', isOtherEmail && password === null ? 'is needed to change the email address' : null)
    .throwIfAny();
  if (isOtherEmail && password !== null) await changeEmail(deps, viewer, email, { password, client });
  return { ...(await rename(deps.database, viewer.id, displayName)), isChangingEmail: isOtherEmail };
}

function rename(database: Database, userId: string, displayName: string | null | undefined): Promise<ViewerView> {
  return inTransaction(database, async (em) => {
    const account = await requireLockedAccount(em, userId);
    if (displayName !== undefined) account.displayName = displayName === null ? null : normalizeText(displayName);
    return toViewerView(account);
  });
}
