import type { ResponseStatus } from '../../generated/operations.js';

const ANSWERS: readonly (readonly [status: ResponseStatus, label: string])[] = [
  ['ACCEPTED', 'Accept'],
  ['TENTATIVE', 'Perhaps'],
  ['DECLINED', 'Decline'],
];

interface AnswerButtonsProps {
  readonly label: string;
  /** The answer so far. */
  readonly current: ResponseStatus;
  readonly isDisabled: boolean;
  readonly onAnswer: (status: ResponseStatus) => void;
}

/** The possible answers, of which the current one is pressed. */
export function AnswerButtons({ label, current, isDisabled, onAnswer }: AnswerButtonsProps) {
  return (
    <div role="group" aria-label={label} class="answers">
      {ANSWERS.map(([status, text]) => (
        <button
          key={status}
          type="button"
          class="secondary"
          aria-pressed={status === current}
          disabled={isDisabled}
          onClick={() => onAnswer(status)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
