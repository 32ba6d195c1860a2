import { boundText, spreadText } from './texts.js';
import type { Outcome, Verdict } from './verdicts.js';

/** What falls short, with its reason. */
export function shortfallText(verdicts: readonly Verdict[]): string {
  return [listOf(verdicts, 'misses its must', 'must'), listOf(verdicts, 'misses its aim', 'aim')].join('\n\n');
}

function listOf(verdicts: readonly Verdict[], outcome: Outcome, bound: 'must' | 'aim'): string {
  const short = verdicts.filter((verdict) => verdict.outcome === outcome);
  if (short.length === 0) return `Every measured ${bound} is met.`;
  const lines = short.map(
    ({ target, value, reason }) =>
      `- ${target.what}: ${spreadText(value, target.digits)}${target.unit}, ${bound} ` +
      `${boundText(target, target[bound])}. ${reason ?? ''}`,
  );
  return [`Short of its ${bound}:`, '', ...lines].join('\n');
}
