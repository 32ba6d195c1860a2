import { requireElement } from '../require-element.js';

const INTERVAL_MS = 10_000;
const READY = ['good', 'Ready to serve requests.'] as const;
const NOT_READY = ['bad', 'Not ready: requests are refused for now.'] as const;
const UNREACHABLE = ['bad', 'The service cannot be reached.'] as const;

const health = requireElement('#health', HTMLElement);
const status = requireElement('[role=status]', HTMLElement, health);

/** Shows the state of the service, and again every 10 s while the page is visible. */
async function showHealth(): Promise<void> {
  if (document.visibilityState === 'visible') {
    const [kind, sentence] = await fetchHealth();
    health.dataset.state = kind;
    // An unchanged text is not set again, so that screen readers do not repeat it.
    if (status.textContent !== sentence) status.textContent = sentence;
  }
  setTimeout(() => void showHealth(), INTERVAL_MS);
}

async function fetchHealth(): Promise<typeof READY | typeof NOT_READY | typeof UNREACHABLE> {
  try {
    return (await fetch(health.dataset.url ?? '', { cache: 'no-store' })).ok ? READY : NOT_READY;
  } catch {
    return UNREACHABLE;
  }
}

void showHealth();
