import { SECRET_LINK_SCRIPT } from './secret-link-script.js';

/**
 * What the buttons of a secret page do, as the browser runs it.
 *
 * The secret leaves the address bar and the history once it is used up, and not before, so that the page can be
 * reloaded after a failure.
 */
export const SECRET_PAGE_SCRIPT = `${SECRET_LINK_SCRIPT}
const withoutSecret = document.getElementById('without-secret');

function readLink() {
  const complete = Boolean(secretOfLink());
  buttonOf(before).disabled = !complete;
  if (withoutSecret) {
    before.hidden = !complete;
    withoutSecret.hidden = complete;
  }
  if (complete || withoutSecret) show('', '');
  else show('problem', INCOMPLETE);
}

function buttonOf(part) {
  return part.querySelector('button');
}

function onSubmit(part, inputOf) {
  const form = part.querySelector('form');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    return during([buttonOf(part)], async () => {
      const input = { ...inputOf(), ...Object.fromEntries(new FormData(form)) };
      await ask(form.dataset.endpoint, { query: form.dataset.mutation, variables: { input } });
      forgetSecret();
      part.hidden = true;
      show('success', form.dataset.done);
    });
  });
}

onSubmit(before, () => ({ secret: secretOfLink() }));
if (withoutSecret) {
  onSubmit(withoutSecret, () => ({}));
  buttonOf(withoutSecret).disabled = false;
}
addEventListener('hashchange', readLink);
readLink();
`;
