export { deleteAccount } from './delete-account.js';
export { exportAccount, MAX_EXPORT_ROWS } from './export-account.js';
export { enqueueEraseAccountTask, ERASE_ACCOUNT_TASK, finishDeletion } from './finish-deletion.js';
export { getUser } from './get-user.js';
export { countDeletionEffects, listBlockingGroups, listChangingGroups } from './preview-deletion.js';
export { register } from './register.js';
