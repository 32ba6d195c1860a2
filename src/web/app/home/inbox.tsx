import { useLocation } from 'preact-iso';
import { useRef } from 'preact/hooks';
import {
  AnswerInvitationDocument,
  InboxDocument,
  type InboxQuery,
  type ResponseStatus,
} from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useAction } from '../data/use-action.js';
import { useQuery } from '../data/use-query.js';
import { AnswerButtons } from '../group/answer-buttons.js';
import { ErrorMessage } from '../ui/error-message.js';
import { dateOf, nameOf } from '../ui/words.js';

type Invitation = InboxQuery['me']['invitations']['nodes'][number];

interface InboxProps {
  /** Called when an invitation has become a membership. */
  readonly onAnswered: () => void;
}

/** The invitations to the confirmed address of the user. */
export function Inbox({ onAnswered }: InboxProps) {
  const { data, reload } = useQuery(InboxDocument, {});
  const invitations = data?.me.invitations.nodes ?? [];
  const decline = () => {
    reload();
    onAnswered();
  };
  if (invitations.length === 0) return null;
  return (
    <section>
      <h2>Invitations</h2>
      <ul>
        {invitations.map((invitation) => (
          <InboxItem key={invitation.id} invitation={invitation} onDeclined={decline} />
        ))}
      </ul>
    </section>
  );
}

interface InboxItemProps {
  readonly invitation: Invitation;
  readonly onDeclined: () => void;
}

function InboxItem({ invitation: { id, group, invitedBy, expiresAt }, onDeclined }: InboxItemProps) {
  const { client, paths } = useApp();
  const { route } = useLocation();
  const status = useRef<ResponseStatus>('PENDING');
  const answer = useAction(async () => {
    await client.run(AnswerInvitationDocument, { input: { invitationId: id, status: status.current } });
    if (status.current === 'DECLINED') onDeclined();
    else route(paths.group(group.id));
  });
  return (
    <li>
      <strong>{group.name}</strong>
      <span class="does">
        {invitedBy === null ? '' : `${nameOf(invitedBy)} invites you. `}Open until {dateOf(expiresAt)}.
      </span>
      <AnswerButtons
        label={`Answer to ${group.name}`}
        current="PENDING"
        isDisabled={answer.isRunning}
        onAnswer={(chosen) => {
          status.current = chosen;
          answer.run();
        }}
      />
      <ErrorMessage error={answer.error} />
    </li>
  );
}
