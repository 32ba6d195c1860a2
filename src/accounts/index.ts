export { type AccountsDeps } from './accounts-deps.js';
export { type AccountView } from './administration/account-view.js';
export { getUserId } from './administration/get-user-id.js';
export { grantAdmin } from './administration/grant-admin.js';
export { listAccounts } from './administration/list-accounts.js';
export { type AuditEventView, listAuditEvents } from './administration/list-audit-events.js';
export { setUserDisabled } from './administration/set-user-disabled.js';
export { setUserRole } from './administration/set-user-role.js';
export { ApiKeyUsageRecorder } from './api-keys/api-key-usage-recorder.js';
export { ApiKey } from './api-keys/api-key.entity.js';
export { createApiKey, createApiKeyAsAdmin, type CreatedApiKey } from './api-keys/create-api-key.js';
export { listApiKeys, MAX_LISTED_API_KEYS } from './api-keys/list-api-keys.js';
export { revokeApiKey } from './api-keys/revoke-api-key.js';
export { type AuditDetail } from './audit/audit-event.entity.js';
export { authenticate } from './authenticate.js';
export { type AddressToProve, type InvitedMemberships } from './email/invited-memberships.js';
export { lockAddresses } from './email/lock-addresses.js';
export { requestEmailVerification } from './email/request-email-verification.js';
export { createOpenVerificationLoader, sendVerificationMail } from './email/send-verification-mail.js';
export { markEmailVerified, requireVerifiedEmail } from './email/verified-email.js';
export { verifyEmail } from './email/verify-email.js';
export { type FollowUpTask, listFollowUps } from './follow-ups/list-follow-ups.js';
export { retryFollowUp } from './follow-ups/retry-follow-up.js';
export { readTaskBacklog, type TaskBacklog } from './follow-ups/task-backlog.js';
export { claimKeySql, throwKeyConflict, toKeyClaim } from './idempotency/claim-idempotency-key.js';
export { findIdempotentResult, readResultId } from './idempotency/find-idempotent-result.js';
export type { IdempotencyDeps, IdempotentOperation } from './idempotency/idempotent-operation.js';
export { lockIdempotencyKey, saveIdempotentResult } from './idempotency/lock-idempotency-key.js';
export { verifiedEmailKeyOf } from './identity/account-email.js';
export {
  createAccountLoaders,
  type FollowUpView,
  type TaskStatus,
  USER_FIELDS,
  type UserView,
  type ViewerView,
} from './identity/account-loaders.js';
export { Account, type AccountRole } from './identity/account.entity.js';
export {
  type Actor,
  type AuthenticatedActor,
  requireAuthenticated,
  requireUser,
  type ServiceActor,
  type UserActor,
} from './identity/actor.js';
export { isAdmin, OPERATOR } from './identity/admin-guard.js';
export { API_KEY_SCOPES, type ApiKeyScope } from './identity/api-key-scope.js';
export { findUsers, resolveUsernames, type UserReference } from './identity/find-users.js';
export { getViewer } from './identity/get-viewer.js';
export { lockAccount, type LockedAccount, requireLockedAccount } from './identity/locked-account.js';
export { newId } from './identity/new-id.js';
export { requireSelf } from './identity/require-self.js';
export { emailKey, isEmailAddress, validateEmail } from './input/email.js';
export { futureTimeProblem } from './input/future-time.js';
export { normalizeText, validateText } from './input/text-validation.js';
export { usernameKey } from './input/username.js';
export { renderMail } from './mail-templates/render-mail.js';
export { concurrentHashes, createArgon2Hasher, type Argon2Options } from './passwords/argon2-hasher.js';
export { calibrateArgon2, type CalibrationSample } from './passwords/calibrate-argon2.js';
export { changePassword } from './passwords/change-password.js';
export { confirmPassword } from './passwords/confirm-password.js';
export { requestPasswordReset, RESET_PASSWORD_TASK } from './passwords/request-password-reset.js';
export { resetPassword } from './passwords/reset-password.js';
export { sendResetMail } from './passwords/send-reset-mail.js';
export { type ClientInfo } from './ports/client-info.js';
export { type Clock } from './ports/clock.js';
export { type Mail, type Mailer } from './ports/mailer.js';
export { type PasswordHasher } from './ports/password-hasher.js';
export { ACCOUNT_SECTIONS, type ExportSections, readSection, section, timeKey } from './profile/account-data-export.js';
export { eraseAccount, forgetAccount, forgetInTasks, lockAccountToErase } from './profile/erase-account.js';
export { updateProfile } from './profile/update-profile.js';
export { createRateLimiter, type RateLimit, type RateLimitConfig, UNLIMITED } from './rate-limiting/rate-limiter.js';
export { recordRegistrations } from './registration/record-registrations.js';
export {
  registerAccount,
  type RegisterAccountDeps,
  type RegisterAccountParams,
} from './registration/register-account.js';
export { type RegisterResult } from './registration/register-result.js';
export { accountRetentionRules } from './retention-rules.js';
export { RevocationRegistry } from './revocation/revocation-registry.js';
export { deriveLinkSecret, type LinkSecretClaims, verifyLinkSecret } from './secrets/link-secret.js';
export { ServerSecret } from './secrets/server-secret.js';
export { SECURITY_NOTICES } from './security-notices/security-notices.js';
export { sendSecurityNotice } from './security-notices/send-security-notice.js';
export { MAX_SESSIONS_PER_ACCOUNT } from './sessions/enforce-session-limit.js';
export { issueToken } from './sessions/issue-token.js';
export { listSessions, type SessionView } from './sessions/list-sessions.js';
export { refreshSession } from './sessions/refresh-session.js';
export { revokeSession } from './sessions/revoke-session.js';
export { revokeToken } from './sessions/revoke-token.js';
export { acceptedIssuers } from './tokens/accepted-issuers.js';
export { AccessTokenService } from './tokens/access-token-service.js';
export { KEY_ACTIVATION_DELAY_MS } from './tokens/key-rotation-policy.js';
export { KeyStore, loadKeyStore, type SigningKeyInfo, startKeyReload } from './tokens/key-store.js';
