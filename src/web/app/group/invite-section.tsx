import { useEffect, useState } from 'preact/hooks';
import {
  GroupInvitationsDocument,
  InviteDocument,
  RevokeInvitationDocument,
  type InviteOutcome,
} from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useQuery } from '../data/use-query.js';
import { Field } from '../forms/field.js';
import { Form, type Values } from '../forms/form.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { dateOf } from '../ui/words.js';
import { parseInvitees } from './parse-invitees.js';

interface InviteSectionProps {
  readonly groupId: string;
  /** The invitations are read again when it changes. */
  readonly revision: number;
}

const OUTCOMES: Readonly<Record<InviteOutcome, string>> = {
  ALREADY_MEMBER: 'is a member already',
  INVITATION_SENT: 'gets an invitation by mail',
  INVITED: 'is invited',
  USER_NOT_FOUND: 'is not known here',
};

/** Lets an owner invite people, and take back what was mailed. */
export function InviteSection({ groupId, revision }: InviteSectionProps) {
  const { client } = useApp();
  const [results, setResults] = useState<readonly string[]>([]);
  const [invited, setInvited] = useState(0);
  const invite = async ({ invitees: text = '' }: Values) => {
    const invitees = parseInvitees(text);
    const { inviteToGroup } = await client.run(InviteDocument, { input: { groupId, invitees } });
    setResults(inviteToGroup.results.map(({ outcome }, at) => `${nameAt(invitees, at)} ${OUTCOMES[outcome]}.`));
    // The form is new and empty.
    setInvited(invited + 1);
  };
  return (
    <section>
      <h2>Invite</h2>
      <Form key={invited} onSubmit={invite} button="Invite">
        <Field
          label="Usernames or email addresses"
          name="invitees"
          hint="Several are separated by spaces or commas."
          required
        />
      </Form>
      <div role="status">
        {results.map((result) => (
          <p key={result}>{result}</p>
        ))}
      </div>
      <InvitationList groupId={groupId} revision={revision} />
    </section>
  );
}

function nameAt(invitees: ReturnType<typeof parseInvitees>, at: number): string {
  const invitee = invitees[at];
  return invitee?.username ?? invitee?.email ?? '';
}

/** The email addresses that have not answered. */
function InvitationList({ groupId, revision }: InviteSectionProps) {
  const { client } = useApp();
  const { data, reload } = useQuery(GroupInvitationsDocument, { id: groupId });
  useEffect(reload, [reload, revision]);
  const invitations = data?.group.invitations?.nodes ?? [];
  const revoke = async (invitationId: string) => {
    await client.run(RevokeInvitationDocument, { input: { invitationId } });
    reload();
  };
  return (
    <ul>
      {invitations.map(({ id, email, expiresAt }) => (
        <li key={id} class="row">
          <span class="person">
            {email} <span class="quiet">until {dateOf(expiresAt)}</span>
          </span>
          <ConfirmButton
            label="Take back"
            question="The link in the mail stops working."
            confirm="Take back the invitation"
            onConfirm={() => revoke(id)}
          />
        </li>
      ))}
    </ul>
  );
}
