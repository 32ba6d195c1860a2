import { MembershipsDocument, type MembershipsQuery } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { usePages } from '../data/use-pages.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { StateBadge } from '../ui/state-badge.js';
import { STATUS_LABELS } from '../ui/words.js';

type Membership = MembershipsQuery['me']['memberships']['nodes'][number];

/** The groups of the user, the newest first. */
export function MembershipList() {
  const pages = usePages((client, after) =>
    client.run(MembershipsDocument, { after }).then(({ me }) => me.memberships),
  );
  if (pages.nodes === null) return <Loading error={pages.error} onRetry={pages.reload} />;
  if (pages.nodes.length === 0) return <p>You are in no group yet. Create one, and invite people to it.</p>;
  return (
    <section aria-label="Groups">
      <ul>
        {pages.nodes.map((membership) => (
          <MembershipItem key={membership.group.id} membership={membership} />
        ))}
      </ul>
      <MoreButton pages={pages} />
    </section>
  );
}

function MembershipItem({ membership: { group, status } }: { readonly membership: Membership }) {
  const { paths } = useApp();
  return (
    <li class="row">
      <a href={paths.group(group.id)}>{group.name}</a>
      <StateBadge state={group.state} />
      <span class="does">
        {group.acceptedCount} of {group.requiredCount} needed · Your answer: {STATUS_LABELS[status]}
      </span>
    </li>
  );
}
