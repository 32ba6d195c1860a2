import { useState } from 'preact/hooks';
import { RequestEmailVerificationDocument, ViewerDocument } from '../../generated/operations.js';
import { useApp } from '../data/app-context.js';
import { useAction } from '../data/use-action.js';
import { useQuery } from '../data/use-query.js';
import { ActionButton } from '../ui/action-button.js';
import { ErrorMessage } from '../ui/error-message.js';

/** Asks the user to confirm their address, since invitations are found by confirmed addresses only. */
export function EmailHint() {
  const { client } = useApp();
  const { data } = useQuery(ViewerDocument, {});
  const [isSent, setSent] = useState(false);
  const request = useAction(async () => {
    await client.run(RequestEmailVerificationDocument, {});
    setSent(true);
  });
  if (data === null || data.me.email === null || data.me.emailVerified) return null;
  return (
    <section class="notice" aria-label="Email address">
      <p>
        {isSent ? 'A new link is on its way to ' : 'Please confirm your address with the link that was mailed to '}
        <strong>{data.me.email}</strong>. Until then, invitations sent to it do not appear here.
      </p>
      <ErrorMessage error={request.error} />
      {!isSent && (
        <ActionButton action={request} class="secondary">
          Mail a new link
        </ActionButton>
      )}
    </section>
  );
}
