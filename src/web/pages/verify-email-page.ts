import { sendOperation } from '../api/send-operation.js';
import { VerifyEmailDocument } from '../generated/operations.js';
import { startMailedLinkScript } from './mailed-link-script.js';

startMailedLinkScript({
  withSecret: ({ endpoint, secret }) =>
    sendOperation(endpoint, VerifyEmailDocument, { variables: { input: { secret } } }),
});
