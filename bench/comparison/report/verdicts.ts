import type { Figures, Spread } from './figures.js';
import { REASONS } from './reasons.js';
import { TARGETS, type Target } from './targets.js';

export type Outcome = 'met' | 'misses its aim' | 'misses its must' | 'not measured';

export interface Verdict {
  readonly target: Target;
  readonly value: Spread | null;
  readonly outcome: Outcome;
  /** Null for a target that is met or was not measured. */
  readonly reason: string | null;
}

export function verdictsOn(
  figures: Figures,
  targets: readonly Target[] = TARGETS,
  reasons: Readonly<Record<string, string>> = REASONS,
): Verdict[] {
  return targets.map((target) => {
    const value = target.measure(figures);
    const outcome = outcomeOf(target, value);
    const isShort = outcome === 'misses its aim' || outcome === 'misses its must';
    return { target, value, outcome, reason: isShort ? (reasons[target.id] ?? 'No reason recorded.') : null };
  });
}

function outcomeOf(target: Target, value: Spread | null): Outcome {
  if (value === null) return 'not measured';
  if (!isWithin(target, value.median, target.must)) return 'misses its must';
  return isWithin(target, value.median, target.aim) ? 'met' : 'misses its aim';
}

/** A bound holds for the figure as it is printed. */
function isWithin({ bound, digits }: Target, value: number, limit: number | null): boolean {
  const printed = Number(value.toFixed(digits));
  return limit === null || (bound === 'at most' ? printed <= limit : printed >= limit);
}
