import { sendOperation } from '../api/send-operation.js';
import {
  ClaimInvitationDocument,
  FirstMembershipDocument,
  InvitationDocument,
  InvitedUserDocument,
  RegisterDocument,
  type InvitationQuery,
  type ResponseStatus,
} from '../generated/operations.js';
import { requireElement } from '../require-element.js';
import { Client } from '../session/client.js';
import { createSessionStore, createTemporaryStore } from '../session/session-store.js';
import { LoggedOutError, Session } from '../session/session.js';
import { enablePasswordButtons } from './enable-password-buttons.js';
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
const INVITED = 'You are invited';
const NOT_INVITED = 'This invitation is not open';
/** A registration becomes a membership by a task, which takes less than a second. */
const MEMBERSHIP_POLLS = 20;
const POLL_INTERVAL_MS = 250;

const heading = requireElement('h1', HTMLHeadingElement);
const before = requireElement('#before', HTMLElement);
const about = requireElement('#about', HTMLElement);
const next = requireElement('#next', HTMLElement);
const ways = requireElement('#ways', HTMLElement);
const claimForm = requireElement('#claim', HTMLFormElement);
const registerForm = requireElement('#register', HTMLFormElement);
const credentials = requireElement('#credentials', HTMLFieldSetElement);
const loggedIn = requireElement('#logged-in', HTMLElement);
const buttons = [...document.querySelectorAll('button')];
const { endpoint = '', basePath = '', app } = before.dataset;
/** Without the web client there is nothing to stay logged in for. */
const store = app === undefined ? createTemporaryStore() : createSessionStore(basePath);
const client = new Client(endpoint, new Session(endpoint, store));
let groupName = '';

/** Shows what the invitation is about. Reading it changes nothing. */
async function preview(): Promise<void> {
  before.hidden = true;
  about.textContent = '';
  const secret = readLinkSecret();
  if (secret === '') {
    showHeading(NOT_INVITED);
    showOutcome('problem', INCOMPLETE_LINK);
    return;
  }
  showProgress();
  try {
    const [{ invitation }] = await Promise.all([
      sendOperation(endpoint, InvitationDocument, { variables: { secret } }),
      showUser(),
    ]);
    if (secret !== readLinkSecret()) return;
    introduce(invitation);
    showOutcome('', '');
  } catch (error) {
    showHeading(NOT_INVITED);
    showError(error, { hint: INVALID_LINK_HINT });
    next.hidden = false;
  }
}

function introduce(invitation: InvitationQuery['invitation']): void {
  groupName = invitation.groupName;
  const until = new Date(invitation.expiresAt).toLocaleDateString('en', { dateStyle: 'long' });
  const inviter = invitation.invitedBy ?? 'An owner of the group';
  showHeading(INVITED);
  about.textContent = `${inviter} invites you to ${groupName}. The invitation is open until ${until}.`;
  before.hidden = false;
}

function showHeading(text: string): void {
  heading.textContent = text;
  document.title = `${text} – Convene`;
}

/** A user who is logged in answers without typing a password. */
async function showUser(): Promise<void> {
  if (client.session.userId === null) return;
  try {
    const { me } = await client.run(InvitedUserDocument, {});
    requireElement('strong', HTMLElement, loggedIn).textContent = me.username;
    useAccount(true);
  } catch (error) {
    if (!(error instanceof LoggedOutError)) throw error;
  }
}

/** @param isCurrent whether the user who is logged in answers */
function useAccount(isCurrent: boolean): void {
  showForm(claimForm);
  ways.hidden = isCurrent;
  loggedIn.hidden = !isCurrent;
  credentials.hidden = isCurrent;
  credentials.disabled = isCurrent;
  requireElement('button[type=submit]', HTMLButtonElement, claimForm).textContent = isCurrent
    ? 'Answer'
    : 'Log in and answer';
}

function showForm(form: HTMLFormElement): void {
  for (const each of [claimForm, registerForm]) each.hidden = each !== form;
  for (const way of ways.querySelectorAll('button'))
    way.setAttribute('aria-pressed', String(way.dataset.form === form.id));
}

async function claim(): Promise<void> {
  const secret = readLinkSecret();
  const status = readStatus();
  if (!credentials.disabled) await logIn(claimForm);
  try {
    const { claimInvitation } = await client.run(ClaimInvitationDocument, { input: { secret, status } });
    const { member } = claimInvitation;
    finish(`${CLAIMED[member.status]}${groupName}.`);
    openApp(member.group.id);
  } finally {
    await logOutWithoutApp();
  }
}

async function register(): Promise<void> {
  const username = readTextField(registerForm, 'username');
  const email = readTextField(registerForm, 'email');
  const password = readTextField(registerForm, 'password');
  await sendOperation(endpoint, RegisterDocument, {
    variables: { input: { username, password, ...(email !== '' && { email }), invitation: readLinkSecret() } },
  });
  const membership = `Your account is made, and within moments you are a member of ${groupName}.`;
  if (app !== undefined) await client.session.logIn({ username, password });
  finish(`Welcome, ${username}. ${membership} Your answer is still open.`);
  if (app !== undefined) openApp(await waitForMembership());
}

function logIn(form: HTMLFormElement): Promise<void> {
  return client.session.logIn({
    username: readTextField(form, 'username'),
    password: readTextField(form, 'password'),
  });
}

/** The response counts even if this fails; the session then expires. */
async function logOutWithoutApp(): Promise<void> {
  if (app === undefined) await client.session.logOut();
}

/** Returns the id of the only group of a new user; null when it takes too long. */
async function waitForMembership(): Promise<string | null> {
  for (let poll = 0; poll < MEMBERSHIP_POLLS; poll++) {
    const { me } = await client.run(FirstMembershipDocument, {});
    const [membership] = me.memberships.nodes;
    if (membership !== undefined) return membership.group.id;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return null;
}

/** Leads on into the web client. This page, whose link is used up, is not gone back to. */
function openApp(groupId: string | null): void {
  if (app !== undefined) location.replace(groupId === null ? app : `${app}/groups/${groupId}`);
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
for (const form of [claimForm, registerForm])
  requireElement(`[data-form=${form.id}]`, HTMLButtonElement, ways).addEventListener('click', () => {
    showForm(form);
  });
requireElement('button', HTMLButtonElement, loggedIn).addEventListener('click', () => {
  useAccount(false);
});
enablePasswordButtons();
addEventListener('hashchange', () => void preview());
void preview();
