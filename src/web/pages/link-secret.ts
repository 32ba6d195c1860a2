export const INCOMPLETE_LINK = 'This link is incomplete. Please open the link in the mail again, or copy all of it.';

/** Returns the secret in the fragment of the page's URL; empty when there is none. */
export function readLinkSecret(): string {
  return new URLSearchParams(location.hash.slice(1)).get('secret') ?? '';
}

/** Removes the secret from the address bar and from the history. */
export function forgetLinkSecret(): void {
  history.replaceState(null, '', location.pathname + location.search);
}
