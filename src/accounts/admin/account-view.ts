import type { ViewerView } from '../account-reads.js';
import type { Account } from '../account.entity.js';
import { toViewerView } from '../views.js';

/** A person as administrators see them. */
export interface AccountView extends ViewerView {
  readonly disabled: boolean;
  readonly lastLoginAt: Date | null;
}

export function toAccountView(account: Account): AccountView {
  return { ...toViewerView(account), disabled: account.disabledAt !== null, lastLoginAt: account.lastLoginAt };
}
