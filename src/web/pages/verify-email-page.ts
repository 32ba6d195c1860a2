import { VerifyEmailDocument } from '../generated/operations.js';
import { startMailedLinkScript } from './mailed-link-script.js';
import { sendOperation } from './send-operation.js';

startMailedLinkScript({
  withSecret: ({ endpoint, secret }) =>
    sendOperation(endpoint, VerifyEmailDocument, { variables: { input: { secret } } }),
});
