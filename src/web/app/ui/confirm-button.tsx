import { useState } from 'preact/hooks';
import { useAction } from '../data/use-action.js';
import { ActionButton } from './action-button.js';
import { ErrorMessage } from './error-message.js';

interface ConfirmButtonProps {
  readonly label: string;
  /** Says what will happen. */
  readonly question: string;
  /** Label of the button that does it. */
  readonly confirm: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for what cannot be undone, which asks once more. */
export function ConfirmButton({ label, question, confirm, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(onConfirm);
  if (!isAsking)
    return (
      <button type="button" class="secondary" onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  return (
    <div class="confirm">
      <p>{question}</p>
      <ErrorMessage error={action.error} />
      <div class="buttons">
        <ActionButton action={action} class="danger">
          {confirm}
        </ActionButton>
        <button type="button" class="secondary" onClick={() => setAsking(false)}>
          Keep it
        </button>
      </div>
    </div>
  );
}
