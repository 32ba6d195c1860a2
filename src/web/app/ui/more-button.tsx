import type { Pages } from '../data/use-pages.js';
import { ErrorMessage } from './error-message.js';

/** Reads the next page of a list, if there is one. */
export function MoreButton({ pages }: { readonly pages: Pages<unknown> }) {
  return (
    <>
      <ErrorMessage error={pages.error} />
      {pages.hasMore && (
        <button type="button" class="secondary" onClick={pages.more}>
          Show more
        </button>
      )}
    </>
  );
}
