import type { ComponentChildren } from 'preact';
import type { Action } from '../data/use-action.js';

interface ActionButtonProps {
  readonly action: Action;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A button that starts the action, and is disabled while it is under way. */
export function ActionButton({ action, class: className = '', children }: ActionButtonProps) {
  return (
    <button type="button" class={className} disabled={action.isRunning} onClick={action.run}>
      {children}
    </button>
  );
}
