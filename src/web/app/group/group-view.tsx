import type { GroupFactsFragment } from '../../generated/operations.js';
import { Page } from '../ui/page.js';
import { StateBadge } from '../ui/state-badge.js';
import { dateAndTime, STATE_SENTENCES } from '../ui/words.js';
import { ChangeList } from './change-list.js';
import { GroupActions } from './group-actions.js';
import { InviteSection } from './invite-section.js';
import { MemberList } from './member-list.js';
import { OwnAnswer } from './own-answer.js';
import type { LiveGroup } from './use-group.js';

export interface GroupViewProps {
  readonly live: LiveGroup;
  readonly group: GroupFactsFragment;
}

/** A group with its state, members and latest changes. */
export function GroupView({ live, group }: GroupViewProps) {
  const isOwner = group.viewerMembership?.role === 'OWNER';
  const isOpen = group.state !== 'CANCELLED';
  return (
    <Page title={group.name}>
      <GroupState group={group} />
      {group.viewerMembership !== null && (
        <OwnAnswer group={group} status={group.viewerMembership.status} live={live} />
      )}
      <MemberList group={group} isOwner={isOwner} onChanged={live.show} />
      {isOwner && isOpen && <InviteSection groupId={group.id} revision={group.revision} />}
      <ChangeList changes={live.changes} isLive={live.isLive} />
      {group.viewerMembership !== null && <GroupActions group={group} isOwner={isOwner && isOpen} live={live} />}
    </Page>
  );
}

function GroupState({ group }: { readonly group: GroupFactsFragment }) {
  const { state, description, respondBy, acceptedCount, requiredCount } = group;
  return (
    <section aria-label="State">
      {description !== null && <p class="description">{description}</p>}
      <p aria-live="polite">
        <StateBadge state={state} /> {STATE_SENTENCES[state]}
      </p>
      <progress
        max={requiredCount}
        value={Math.min(acceptedCount, requiredCount)}
        aria-label="Acceptances, of those needed"
      />
      <p class="counts">
        <strong>
          {acceptedCount} of {requiredCount} needed
        </strong>
        {countsOf(group)}
      </p>
      {respondBy !== null && <p class="quiet">Answers until {dateAndTime(respondBy)}.</p>}
    </section>
  );
}

/** Only the answers that exist. */
function countsOf({ responseCounts }: GroupFactsFragment): string {
  const { tentative, declined, pending, openInvitations } = responseCounts;
  const counts: readonly (readonly [count: number, words: string])[] = [
    [tentative, 'perhaps'],
    [declined, 'declined'],
    [pending, 'without an answer'],
    [openInvitations, 'invited by mail'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => ` · ${count} ${words}`)
    .join('');
}
