import type { Pages } from '../data/use-pages.js';
import { Loading } from './loading.js';

/** Reads the next page of a list, if there is one. After a failure it says why, and repeats the attempt. */
export function MoreButton({ pages }: { readonly pages: Pages<unknown> }) {
  if (pages.error !== null) return <Loading error={pages.error} onRetry={pages.reload} />;
  if (!pages.hasMore) return null;
  return (
    <button type="button" class="secondary" onClick={pages.more}>
      Show more
    </button>
  );
}
