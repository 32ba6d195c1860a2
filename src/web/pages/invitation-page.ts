import { sendOperation } from '../api/send-operation.js';
import {
  ClaimInvitationDocument,
  InvitationDocument,
  LogInDocument,
  LogOutDocument,
  RegisterDocument,
  type InvitationQuery,
  type ResponseStatus,
} from '../generated/operations.js';
import { requireElement } from '../require-element.js';
import { forgetLinkSecret, INCOMPLETE_LINK, readLinkSecret } from './link-secret.js';
import { runWithOutcome, showError, showOutcome, showProgress } from './outcome.js';
import { readTextField } from './read-text-field.js';

/** Sentence after a claim, to which the name of the group is appended. */
const CLAIMED: Readonly<Record<ResponseStatus, string>> = {
  ACCEPTED: 'You have accepted: you take part in ',
  TENTATIVE: 'You may take part: that is noted for ',
  DECLINED: 'You have declined the invitation to ',
  PENDING: 'The place is yours, and your answer is still open: you are now a member of ',
};
const INVALID_LINK_HINT = ' It may have been used or taken back, a newer mail may have replaced it, or it has expired.';

const before = requireElement('#before', HTMLElement);
const about = requireElement('#about', HTMLElement);
const next = requireElement('#next', HTMLElement);
const claimForm = requireElement('#claim', HTMLFormElement);
const registerForm = requireElement('#register', HTMLFormElement);
const buttons = [...document.querySelectorAll('button')];
const { endpoint = '' } = before.dataset;
let groupName = '';

/** Shows what the invitation is about. Reading it changes nothing. */
async function preview(): Promise<void> {
  before.hidden = true;
  about.textContent = '';
  const secret = readLinkSecret();
  if (secret === '') {
    showOutcome('problem', INCOMPLETE_LINK);
    return;
  }
  showProgress();
  try {
    const { invitation } = await sendOperation(endpoint, InvitationDocument, { variables: { secret } });
    if (secret !== readLinkSecret()) return;
    introduce(invitation);
    showOutcome('', '');
  } catch (error) {
    showError(error, { hint: INVALID_LINK_HINT });
  }
}

function introduce(invitation: InvitationQuery['invitation']): void {
  groupName = invitation.groupName;
  const until = new Date(invitation.expiresAt).toLocaleDateString('en', { dateStyle: 'long' });
  const inviter = invitation.invitedBy ?? 'Someone';
  about.textContent = `${inviter} invites you to ${groupName}. The invitation is open until ${until}.`;
  before.hidden = false;
}

/** Logs in for this one response: the session is revoked immediately, and its tokens are stored nowhere. */
async function claim(): Promise<void> {
  const secret = readLinkSecret();
  const status = readStatus();
  const { issueToken } = await sendOperation(endpoint, LogInDocument, {
    variables: {
      input: { username: readTextField(claimForm, 'username'), password: readTextField(claimForm, 'password') },
    },
  });
  const token = issueToken.accessToken;
  try {
    const { claimInvitation } = await sendOperation(endpoint, ClaimInvitationDocument, {
      variables: { input: { secret, status } },
      token,
    });
    finish(`${CLAIMED[claimInvitation.member.status]}${groupName}.`);
  } finally {
    // The response counts even if this fails; the session then expires.
    await sendOperation(endpoint, LogOutDocument, { variables: { input: {} }, token }).catch(() => undefined);
  }
}

async function register(): Promise<void> {
  const username = readTextField(registerForm, 'username');
  const email = readTextField(registerForm, 'email');
  await sendOperation(endpoint, RegisterDocument, {
    variables: {
      input: {
        username,
        password: readTextField(registerForm, 'password'),
        ...(email !== '' && { email }),
        invitation: readLinkSecret(),
      },
    },
  });
  const membership = `Your account is made, and within moments you are a member of ${groupName}.`;
  finish(`Welcome, ${username}. ${membership} Your answer is still open.`);
}

function finish(sentence: string): void {
  forgetLinkSecret();
  before.hidden = true;
  about.textContent = '';
  claimForm.reset();
  registerForm.reset();
  showOutcome('success', sentence);
  next.hidden = false;
}

function readStatus(): ResponseStatus {
  const status = readTextField(claimForm, 'status');
  if (isResponseStatus(status)) return status;
  throw new Error(`Form offers an unknown status ${status}`);
}

function isResponseStatus(status: string): status is ResponseStatus {
  return Object.hasOwn(CLAIMED, status);
}

function submitWith(form: HTMLFormElement, work: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void runWithOutcome(buttons, work, { form });
  });
}

submitWith(claimForm, claim);
submitWith(registerForm, register);
addEventListener('hashchange', () => void preview());
void preview();
