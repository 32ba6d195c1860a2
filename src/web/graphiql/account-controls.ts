import { runWithOutcome, showOutcome } from '../pages/outcome.js';
import { readTextField } from '../pages/read-text-field.js';
import { requireElement } from '../require-element.js';
import type { Session } from '../session/session.js';

const account = requireElement('#account', HTMLElement);
const loginButton = requireElement('#open-login', HTMLButtonElement);
const logoutButton = requireElement('#log-out', HTMLButtonElement);
const dialog = requireElement('#login', HTMLDialogElement);
const form = requireElement('form', HTMLFormElement, dialog);
const password = requireElement('[name="password"]', HTMLInputElement, form);
const passwordShown = requireElement('#show-password', HTMLInputElement, form);

/** @param username null while the user of the session is not known, and without a session */
export function showAccount({ userId, isEndedByService }: Session, username: string | null): void {
  const loggedOut = isEndedByService ? 'Your session has ended. Log in again.' : 'Not logged in';
  account.textContent = userId === null ? loggedOut : `Signed in${username === null ? '' : ` as ${username}`}`;
  loginButton.hidden = userId !== null;
  logoutButton.hidden = userId === null;
}

/** Runs the login form and the button that logs out. */
export function startAccountControls(session: Session, openRegister: () => void): void {
  loginButton.addEventListener('click', () => {
    dialog.showModal();
  });
  logoutButton.addEventListener('click', () => {
    void session.logOut();
    loginButton.focus();
  });
  requireElement('.close', HTMLButtonElement, dialog).addEventListener('click', () => {
    dialog.close();
  });
  requireElement('#open-register', HTMLButtonElement, dialog).addEventListener('click', () => {
    dialog.close();
    openRegister();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void runWithOutcome([...form.querySelectorAll('button')], () => logIn(session), { form });
  });
  passwordShown.addEventListener('change', showOrHidePassword);
  dialog.addEventListener('close', clear);
}

async function logIn(session: Session): Promise<void> {
  await session.logIn({ username: readTextField(form, 'username'), password: readTextField(form, 'password') });
  dialog.close();
}

/** Leaves no password in a closed form. */
function clear(): void {
  form.reset();
  showOrHidePassword();
  showOutcome('', '');
}

function showOrHidePassword(): void {
  password.type = passwordShown.checked ? 'text' : 'password';
}
