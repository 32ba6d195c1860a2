import { SECRET_LINK_SCRIPT } from './secret-link-script.js';

/**
 * What the button of a secret page does, as the browser runs it.
 *
 * The secret leaves the address bar and the history once it is used up, and not before, so that the page can be
 * reloaded after a failure.
 */
export const SECRET_PAGE_SCRIPT = `${SECRET_LINK_SCRIPT}
const form = document.querySelector('form');
const button = form.querySelector('button');

function readLink() {
  const complete = Boolean(secretOfLink());
  button.disabled = !complete;
  if (complete) show('', '');
  else show('problem', INCOMPLETE);
}

async function submit() {
  const input = { secret: secretOfLink(), ...Object.fromEntries(new FormData(form)) };
  await ask(form.dataset.endpoint, { query: form.dataset.mutation, variables: { input } });
  forgetSecret();
  before.hidden = true;
  show('success', form.dataset.done);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  return during([button], submit);
});
addEventListener('hashchange', readLink);
readLink();
`;
