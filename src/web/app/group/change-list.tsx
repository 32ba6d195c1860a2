import { dateAndTime } from '../ui/words.js';
import { describeChange } from './describe-change.js';
import type { Change } from './watch-group.js';

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly isLive: boolean;
}

/** The latest changes, the newest first. */
export function ChangeList({ changes, isLive }: ChangeListProps) {
  return (
    <section>
      <h2>
        What happened <span class={isLive ? 'live on' : 'live'}>{isLive ? 'Live' : 'Connecting…'}</span>
      </h2>
      <ul class="changes" aria-live="polite">
        {changes.map((change) => (
          <li key={change.revision}>
            {describeChange(change)} <time dateTime={change.at}>{dateAndTime(change.at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}
