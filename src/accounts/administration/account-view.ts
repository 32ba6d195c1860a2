import type { ViewerView } from '../identity/account-loaders.js';
import type { Account } from '../identity/account.entity.js';
import { toViewerView } from '../identity/view-mappers.js';

/** A user, as shown to administrators. */
export interface AccountView extends ViewerView {
  readonly disabled: boolean;
  readonly lastLoginAt: Date | null;
}

export function toAccountView(account: Account): AccountView {
  return { ...toViewerView(account), disabled: account.disabledAt !== null, lastLoginAt: account.lastLoginAt };
}
