import type { GroupState } from '../../generated/operations.js';
import { STATE_LABELS } from './words.js';

export function StateBadge({ state }: { readonly state: GroupState }) {
  return <span class={`badge ${state.toLowerCase()}`}>{STATE_LABELS[state]}</span>;
}
