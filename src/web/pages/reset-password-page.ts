import { sendOperation } from '../api/send-operation.js';
import { RequestPasswordResetDocument, ResetPasswordDocument } from '../generated/operations.js';
import { startMailedLinkScript } from './mailed-link-script.js';
import { readTextField } from './read-text-field.js';

startMailedLinkScript({
  withSecret: ({ endpoint, form, secret }) =>
    sendOperation(endpoint, ResetPasswordDocument, {
      variables: { input: { secret, newPassword: readTextField(form, 'newPassword') } },
    }),
  withoutSecret: ({ endpoint, form }) =>
    sendOperation(endpoint, RequestPasswordResetDocument, {
      variables: { input: { email: readTextField(form, 'email') } },
    }),
});
