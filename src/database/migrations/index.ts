import { M001Accounts } from './m001-accounts.js';
import { M002Groups } from './m002-groups.js';
import { M003Jobs } from './m003-jobs.js';
import { M004Invitations } from './m004-invitations.js';
import { M005Sessions } from './m005-sessions.js';
import { M006Limits } from './m006-limits.js';
import { M007Idempotency } from './m007-idempotency.js';
import { M008AccountLife } from './m008-account-life.js';
import { M009Audit } from './m009-audit.js';
import { M010NoticesAndRetention } from './m010-notices-and-retention.js';
import { M012RegistrationKeys } from './m012-registration-keys.js';
import { M013AccountErasure } from './m013-account-erasure.js';
import { M014OnePerson } from './m014-one-person.js';
import { M015ListIndexes } from './m015-list-indexes.js';
import { M016AccountDirectory } from './m016-account-directory.js';

/** In the order in which they run; a released one is never edited, only followed by another. */
export const MIGRATIONS = [
  M001Accounts,
  M002Groups,
  M003Jobs,
  M004Invitations,
  M005Sessions,
  M006Limits,
  M007Idempotency,
  M008AccountLife,
  M009Audit,
  M010NoticesAndRetention,
  M012RegistrationKeys,
  M013AccountErasure,
  M014OnePerson,
  M015ListIndexes,
  M016AccountDirectory,
];
