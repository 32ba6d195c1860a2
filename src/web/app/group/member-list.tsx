import { useEffect } from 'preact/hooks';
import {
  GroupMembersDocument,
  RemoveMemberDocument,
  type GroupFactsFragment,
  type GroupMemberFragment,
} from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { usePages } from '../data/use-pages.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { Loading } from '../ui/loading.js';
import { MoreButton } from '../ui/more-button.js';
import { nameOf, STATUS_LABELS } from '../ui/words.js';

const PAGE_SIZE = 50;
/** Changes within this time are read together. */
const GATHER_MS = 300;

interface MemberListProps {
  readonly group: GroupFactsFragment;
  readonly isOwner: boolean;
  readonly onChanged: (facts: GroupFactsFragment) => void;
}

/** The members in the order in which they were invited. It is read again after each change of the group. */
export function MemberList({ group: { id, revision, memberCount }, isOwner, onChanged }: MemberListProps) {
  const pages = usePages((client, after) =>
    client.run(GroupMembersDocument, { id, first: PAGE_SIZE, after }).then(({ group }) => group.members),
  );
  const { reload } = pages;
  useEffect(() => {
    const timer = setTimeout(reload, GATHER_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [reload, revision]);
  return (
    <section>
      <h2>
        Members <span class="quiet">{memberCount}</span>
      </h2>
      {pages.nodes === null ? (
        <Loading error={pages.error} onRetry={reload} />
      ) : (
        <>
          <ul class="members">
            {pages.nodes.map((member) => (
              <MemberItem key={member.user.id} {...{ member, groupId: id, isOwner, onChanged }} />
            ))}
          </ul>
          <MoreButton pages={pages} />
        </>
      )}
    </section>
  );
}

interface MemberItemProps extends Pick<MemberListProps, 'isOwner' | 'onChanged'> {
  readonly groupId: string;
  readonly member: GroupMemberFragment;
}

function MemberItem({ member: { user, role, status }, groupId, isOwner, onChanged }: MemberItemProps) {
  const { client } = useApp();
  const isSelf = user.id === client.session.userId;
  const remove = async () => {
    const { removeMember } = await client.run(RemoveMemberDocument, { input: { groupId, userId: user.id } });
    onChanged(removeMember.group);
  };
  return (
    <li class="row">
      <span class="person">
        {nameOf(user)}
        {isSelf && <span class="quiet"> (you)</span>}
        {role === 'OWNER' && <span class="quiet"> · owner</span>}
      </span>
      <span class={`badge ${status.toLowerCase()}`}>{STATUS_LABELS[status]}</span>
      {isOwner && !isSelf && (
        <ConfirmButton
          label="Remove"
          question={`${nameOf(user)} no longer sees the group.`}
          confirm="Remove from the group"
          onConfirm={remove}
        />
      )}
    </li>
  );
}
