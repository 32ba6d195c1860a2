import type { Stored } from '../../database/index.js';
import type { ViewerView } from '../identity/account-loaders.js';
import type { Account } from '../identity/account.entity.js';
import { toViewerView } from '../identity/view-mappers.js';

/** A user, as shown to administrators. */
export interface AccountView extends ViewerView, Pick<Stored<Account>, 'lastLoginAt'> {
  readonly disabled: boolean;
}

export function toAccountView(account: Account): AccountView {
  return { ...toViewerView(account), disabled: account.disabledAt !== null, lastLoginAt: account.lastLoginAt };
}
