/**
 * What the button of a secret page does, as the browser runs it. All text goes in as text, never as HTML.
 *
 * The secret leaves the address bar and the history once it is used up, and not before, so that the page can be
 * reloaded after a failure. `credentials: omit`: it is the secret that acts here, never a session.
 */
export const SECRET_PAGE_SCRIPT = `
const form = document.querySelector('form');
const button = form.querySelector('button');
const outcome = document.getElementById('outcome');
const TIMEOUT_MS = 30000;

const secretOfLink = () => new URLSearchParams(location.hash.slice(1)).get('secret');

function show(kind, sentence) {
  outcome.className = kind;
  outcome.textContent = sentence;
}

function readLink() {
  const complete = Boolean(secretOfLink());
  button.disabled = !complete;
  if (complete) show('', '');
  else show('problem', 'This link is incomplete. Please open the link in the mail again, or copy all of it.');
}

async function call(input) {
  const response = await fetch(form.dataset.endpoint, {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json;q=0.9' },
    body: JSON.stringify({ query: form.dataset.mutation, variables: { input } }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return response.json();
}

function sentenceOf({ message, extensions = {} }) {
  if (extensions.code === 'INTERNAL_SERVER_ERROR' && extensions.requestId) return message + ' (Request ' + extensions.requestId + ')';
  // What was wrong with what the visitor typed; the secret they did not.
  const hints = (extensions.fields ?? []).filter(({ field }) => field !== 'secret').map((each) => 'It ' + each.message + '.');
  return [message, ...hints].join(' ');
}

function finish() {
  history.replaceState(null, '', location.pathname + location.search);
  document.getElementById('before').hidden = true;
  show('success', form.dataset.done);
}

async function submit() {
  try {
    const { data, errors } = await call({ secret: secretOfLink(), ...Object.fromEntries(new FormData(form)) });
    if (errors?.length) show('problem', sentenceOf(errors[0]));
    else if (data) finish();
    else throw new TypeError('not a GraphQL answer');
  } catch {
    show('problem', 'The service could not be reached. Please try again in a moment.');
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  show('', 'One moment…');
  await submit();
  button.disabled = false;
  outcome.focus();
});
addEventListener('hashchange', readLink);
readLink();
`;
