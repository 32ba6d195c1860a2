/**
 * What the scripts of all secret pages begin with, as the browser runs it: the secret, the service, and the sentence that
 * says what came of it. All text goes in as text, never as HTML.
 *
 * `credentials: omit`: it is the secret that acts here, never a session.
 */
export const SECRET_LINK_SCRIPT = `
const outcome = document.getElementById('outcome');
const before = document.getElementById('before');
const TIMEOUT_MS = 30000;
const INCOMPLETE = 'This link is incomplete. Please open the link in the mail again, or copy all of it.';

const secretOfLink = () => new URLSearchParams(location.hash.slice(1)).get('secret');

class Refusal extends Error {}

function show(kind, sentence) {
  outcome.className = kind;
  outcome.textContent = sentence;
}

async function ask(endpoint, { query, variables, token, subjectOf }) {
  const response = await fetch(endpoint, {
    method: 'POST',
    credentials: 'omit',
    redirect: 'error',
    headers: {
      'content-type': 'application/json', accept: 'application/graphql-response+json, application/json;q=0.9', ...(token && { authorization: 'Bearer ' + token }),
    },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { data, errors } = await response.json();
  if (errors?.length) throw new Refusal(sentenceOf(errors[0], subjectOf));
  if (!data) throw new TypeError('not a GraphQL answer');
  return data;
}

function sentenceOf({ message, extensions = {} }, subjectOf = () => 'It') {
  if (extensions.code === 'INTERNAL_SERVER_ERROR' && extensions.requestId) return message + ' (Request ' + extensions.requestId + ')';
  // What was wrong with what the visitor typed; the secret they did not.
  const hints = (extensions.fields ?? []).filter(({ field }) => field !== 'secret').map((each) => subjectOf(each.field) + ' ' + each.message + '.');
  return [message, ...hints].join(' ');
}

function showProblem(error) {
  show('problem', error instanceof Refusal ? error.message : 'The service could not be reached. Please try again in a moment.');
}

function forgetSecret() {
  history.replaceState(null, '', location.pathname + location.search);
}

async function during(buttons, work) {
  for (const button of buttons) button.disabled = true;
  show('', 'One moment…');
  try {
    await work();
  } catch (error) {
    showProblem(error);
  }
  for (const button of buttons) button.disabled = false;
  outcome.focus();
}
`;
