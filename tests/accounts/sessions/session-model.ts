import { DAY_MS } from '../../../src/async/durations.js';

/** Model of a session, derived from the rules and not from the code: the current generation and its times. */
export interface ModelSession {
  readonly current: number;
  readonly rotatedAtMs: number;
  readonly loggedInAtMs: number;
  readonly hasEnded: boolean;
}

export type Use =
  { readonly kind: 'refresh'; readonly generation: number } | { readonly kind: 'logout'; readonly generation: number };

/** In words, so that what happened and what should have can be compared: `token 3`, `REFRESH_REUSED`, `1 ended`. */
export type Outcome = string;

interface Step {
  readonly session: ModelSession;
  readonly outcome: Outcome;
}

const GRACE_MS = 10_000;

function use(session: ModelSession, { kind, generation }: Use, nowMs: number): Step {
  const ended = { ...session, hasEnded: true };
  if (kind === 'logout') return { session: ended, outcome: session.hasEnded ? '0 ended' : '1 ended' };
  const expiresAtMs = Math.min(session.rotatedAtMs + 30 * DAY_MS, session.loggedInAtMs + 90 * DAY_MS);
  if (session.hasEnded || nowMs >= expiresAtMs) return { session, outcome: 'REFRESH_INVALID' };
  if (generation === session.current) {
    return { session: { ...session, current: generation + 1, rotatedAtMs: nowMs }, outcome: `token ${generation + 1}` };
  }
  const isForgiven = generation === session.current - 1 && nowMs - session.rotatedAtMs <= GRACE_MS;
  return isForgiven ? { session, outcome: `token ${session.current}` } : { session: ended, outcome: 'REFRESH_REUSED' };
}

/**
 * Returns the possible states of a session after parallel uses with these outcomes: one for each sequential order that
 * explains the outcomes. Empty when no order does.
 */
export function explanations(
  session: ModelSession,
  uses: readonly Use[],
  outcomes: readonly Outcome[],
  nowMs: number,
): ModelSession[] {
  if (uses.length === 0) return [session];
  return uses.flatMap((first, index) => {
    const step = use(session, first, nowMs);
    if (step.outcome !== outcomes[index]) return [];
    return explanations(step.session, uses.toSpliced(index, 1), outcomes.toSpliced(index, 1), nowMs);
  });
}
