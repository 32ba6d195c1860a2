import { useRef } from 'preact/hooks';
import { AnswerDocument, type GroupFactsFragment, type ResponseStatus } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useAction } from '../data/use-action.js';
import { ErrorMessage } from '../ui/error-message.js';
import { AnswerButtons } from './answer-buttons.js';
import type { LiveGroup } from './use-group.js';

interface OwnAnswerProps {
  readonly group: GroupFactsFragment;
  readonly status: ResponseStatus;
  readonly live: LiveGroup;
}

/** The visitor's own answer, which can be changed for as long as the group takes answers. */
export function OwnAnswer({ group, status, live }: OwnAnswerProps) {
  const { client } = useApp();
  const chosen = useRef(status);
  const answer = useAction(async () => {
    const { session } = client;
    if (session.userId === null) return;
    const input = { groupId: group.id, userId: session.userId, status: chosen.current };
    const { updateMemberStatus } = await client.run(AnswerDocument, { input });
    live.show(updateMemberStatus.group);
  });
  return (
    <section>
      <h2>Your answer</h2>
      <AnswerButtons
        label="Your answer"
        current={status}
        isDisabled={answer.isRunning}
        onAnswer={(next) => {
          chosen.current = next;
          answer.run();
        }}
      />
      <ErrorMessage error={answer.error} />
    </section>
  );
}
