import { ChangeSetType, type ChangeSet, type EventSubscriber, type FlushEventArgs } from '@mikro-orm/core';
import { Account } from '../identity/account.entity.js';
import { isAccountLocked } from '../identity/locked-account.js';
import { EmailVerification } from './email-verification.entity.js';

/**
 * Rejects a flush that writes an account or its email verification in a transaction without the account's row lock. The
 * type `LockedAccount` requires the same at compile time; this check also covers `em.assign` and type assertions.
 */
export class AccountLockGuard implements EventSubscriber {
  /** @throws Error before anything is written */
  onFlush({ em, uow }: FlushEventArgs): void {
    for (const change of uow.getChangeSets()) {
      const userId = accountWrittenBy(change);
      if (userId !== null && !isAccountLocked(em, userId)) {
        throw new Error(`Account ${userId} is written without its lock; get it from lockAccount`);
      }
    }
  }
}

/** Null for other entities, and for a new account, which no other transaction can see. */
function accountWrittenBy({ entity, type }: ChangeSet<object>): string | null {
  if (entity instanceof Account) return type === ChangeSetType.CREATE ? null : entity.id;
  return entity instanceof EmailVerification ? entity.userId : null;
}
