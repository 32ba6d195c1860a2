import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import 'reflect-metadata';
import { ApiKey } from './src/accounts/api-keys/api-key.entity.js';
import { AuditEvent } from './src/accounts/audit/audit-event.entity.js';
// Declares what the tasks of the outbox have as follow-ups.
import './src/accounts/follow-ups/follow-up-task.js';
import { IdempotencyRecord } from './src/accounts/idempotency/idempotency-record.entity.js';
import { Account } from './src/accounts/identity/account.entity.js';
import { AccountLockGuard } from './src/accounts/mailed-links/account-lock-guard.js';
import { EmailVerification } from './src/accounts/mailed-links/email-verification.entity.js';
import { PasswordReset } from './src/accounts/mailed-links/password-reset.entity.js';
import { AccountEvent } from './src/accounts/registration/account-event.entity.js';
import { NoticeRecipient } from './src/accounts/security-notices/notice-recipient.entity.js';
import { Session } from './src/accounts/sessions/session.entity.js';
import { SigningKey } from './src/accounts/tokens/signing-key.entity.js';
import { MIGRATIONS } from './src/database/migrations/index.js';
import { OutboxTask } from './src/database/outbox/outbox-task.entity.js';
import { ConstraintNaming } from './src/database/schema/constraint-naming.js';
import { InvitationMailRecord } from './src/groups/invitations/invitation-mail-record.entity.js';
import { Invitation } from './src/groups/invitations/invitation.entity.js';
import { CompatibilityScore } from './src/groups/model/compatibility-score.entity.js';
import { GroupChange } from './src/groups/model/group-change.entity.js';
import { Group } from './src/groups/model/group.entity.js';
import { Member } from './src/groups/model/member.entity.js';
import { ResponseCounts } from './src/groups/model/response-counts.js';

/** What the service, its migrations and the MikroORM command line share; where the database is comes from outside. */
export default defineConfig({
  entities: [
    Account,
    AccountEvent,
    ApiKey,
    AuditEvent,
    EmailVerification,
    IdempotencyRecord,
    NoticeRecipient,
    OutboxTask,
    PasswordReset,
    Session,
    SigningKey,
    CompatibilityScore,
    Group,
    GroupChange,
    Invitation,
    InvitationMailRecord,
    Member,
    ResponseCounts,
  ],
  subscribers: [AccountLockGuard],
  extensions: [Migrator],
  metadataProvider: ReflectMetadataProvider,
  // The classes themselves, not a folder of files: compiled, under Jest and on the command line they are then the same.
  migrations: { migrationsList: MIGRATIONS, tableName: 'migration', snapshot: false },
  namingStrategy: ConstraintNaming,
  // A property's initial value is not a column default: what the database has is declared.
  discovery: { warnWhenNoEntities: false, inferDefaultValues: false },
  forceUtcTimezone: true,
});
