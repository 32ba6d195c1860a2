import { useLocation } from 'preact-iso';
import { CancelGroupDocument, LeaveGroupDocument, type GroupFactsFragment } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import type { LiveGroup } from './use-group.js';

interface GroupActionsProps {
  readonly group: GroupFactsFragment;
  readonly isOwner: boolean;
  readonly live: LiveGroup;
}

/** What cannot be undone: leaving and cancelling. */
export function GroupActions({ group, isOwner, live }: GroupActionsProps) {
  const { client, paths } = useApp();
  const { route } = useLocation();
  const input = { groupId: group.id };
  const leave = async () => {
    await client.run(LeaveGroupDocument, { input });
    route(paths.root, true);
  };
  const cancel = async () => {
    const { cancelGroup } = await client.run(CancelGroupDocument, { input });
    live.show(cancelGroup.group);
  };
  return (
    <section class="buttons after" aria-label="More">
      <ConfirmButton
        label="Leave the group"
        question="You no longer see it, and your answer no longer counts."
        confirm="Leave"
        onConfirm={leave}
      />
      {isOwner && (
        <ConfirmButton
          label="Cancel the group"
          question="It ends for all members, and cannot be opened again."
          confirm="Cancel it for good"
          onConfirm={cancel}
        />
      )}
    </section>
  );
}
