import { SECRET_LINK_SCRIPT } from './secret-link-script.js';

/**
 * What the invitation page does, as the browser runs it: it asks what the invitation is about, which changes nothing, and
 * then logs in and claims, or registers, as the visitor chooses.
 *
 * Logging in is for this one answer: the session is ended at once, and its tokens are kept nowhere.
 */
export const INVITATION_PAGE_SCRIPT = `${SECRET_LINK_SCRIPT}
const about = document.getElementById('about');
const next = document.getElementById('next');
const forms = { claim: document.getElementById('claim'), register: document.getElementById('register') };
const buttons = [...document.querySelectorAll('button')];
const { endpoint } = before.dataset;
const DONE = {
  ACCEPTED: 'You have accepted: you take part in ', TENTATIVE: 'You may take part: that is noted for ', DECLINED: 'You have declined the invitation to ',
  PENDING: 'The place is yours, and your answer is still open: you are now a member of ',
};
let groupName = '';

const subjectOf = (form) => (field) => form.elements.namedItem(field)?.labels?.[0]?.textContent ?? 'It';
const filled = (form) => Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));

async function preview() {
  before.hidden = true;
  about.textContent = '';
  const secret = secretOfLink();
  if (!secret) return show('problem', INCOMPLETE);
  show('', 'One moment…');
  try {
    const { invitation } = await ask(endpoint, { query: before.dataset.preview, variables: { secret } });
    if (secret !== secretOfLink()) return;
    introduce(invitation);
    show('', '');
  } catch (error) {
    showProblem(error);
    if (error instanceof Refusal) outcome.textContent += ' It may have been used or taken back, a newer mail may have replaced it, or it has expired.';
  }
}

function introduce(invitation) {
  groupName = invitation.groupName;
  const until = new Date(invitation.expiresAt).toLocaleDateString('en', { dateStyle: 'long' });
  about.textContent = (invitation.invitedBy ?? 'Someone') + ' invites you to ' + groupName + '. The invitation is open until ' + until + '.';
  before.hidden = false;
}

function finish(sentence) {
  forgetSecret();
  before.hidden = true;
  about.textContent = '';
  for (const form of Object.values(forms)) form.reset();
  show('success', sentence);
  next.hidden = false;
}

async function claim() {
  const { status, ...credentials } = filled(forms.claim);
  const input = { secret: secretOfLink(), status };
  const { issueToken } = await ask(endpoint, { query: before.dataset.login, variables: { input: credentials }, subjectOf: subjectOf(forms.claim) });
  const token = issueToken.accessToken;
  try {
    const { claimInvitation } = await ask(endpoint, { query: before.dataset.claim, variables: { input }, token });
    finish(DONE[claimInvitation.member.status] + groupName + '.');
  } finally {
    // The answer counts whether or not this comes through; the session would then end by itself.
    await ask(endpoint, { query: before.dataset.logout, variables: { input: {} }, token }).catch(() => undefined);
  }
}

async function register() {
  const input = { ...filled(forms.register), invitation: secretOfLink() };
  await ask(endpoint, { query: before.dataset.register, variables: { input }, subjectOf: subjectOf(forms.register) });
  finish('Welcome, ' + input.username + '. Your account is made, and within moments you are a member of ' + groupName + '. Your answer is still open.');
}

function onSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    return during(buttons, work);
  });
}

onSubmit(forms.claim, claim);
onSubmit(forms.register, register);
addEventListener('hashchange', preview);
preview();
`;
