import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { authenticate, newId, revokeToken } from '../../../src/accounts/index.js';
import { signRefreshToken, verifyRefreshToken } from '../../../src/accounts/sessions/refresh-token.js';
import type { TokenPair } from '../../../src/accounts/sessions/token-pair.js';
import { DAY_MS, SECOND_MS } from '../../../src/async/durations.js';
import { explanations, type ModelSession, type Outcome, type Use } from './session-model.js';
import { createSessionsFixture, reasonOf, type SessionsFixture } from './sessions-fixture.js';

let fixture: SessionsFixture;

beforeAll(async () => {
  fixture = await createSessionsFixture();
  await fixture.join('ada');
});

afterAll(() => fixture.remove());

/** Concurrent uses of tokens. */
interface Burst {
  readonly afterMs: number;
  /** `age` is the distance of the generation from the latest one issued. */
  readonly uses: readonly { readonly kind: Use['kind']; readonly age: number }[];
}

const burst: fc.Arbitrary<Burst> = fc.record({
  afterMs: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS, 10 * SECOND_MS + 1) },
    { weight: 1, arbitrary: fc.constantFrom(DAY_MS, 29 * DAY_MS, 30 * DAY_MS, 31 * DAY_MS) },
  ),
  uses: fc.array(
    fc.record({
      kind: fc.oneof(
        { weight: 12, arbitrary: fc.constant('refresh' as const) },
        { weight: 1, arbitrary: fc.constant('logout' as const) },
      ),
      age: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 3, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.constant(2) },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

class Run {
  readonly #sessionId: string;
  readonly #grants: TokenPair[];
  #latest = 1;
  /** All states of the session that explain the outcomes so far. */
  #possible: ModelSession[];

  constructor(sessionId: string, login: TokenPair) {
    const nowMs = fixture.clock.now().getTime();
    this.#sessionId = sessionId;
    this.#grants = [login];
    this.#possible = [{ current: 1, rotatedAtMs: nowMs, loggedInAtMs: nowMs, hasEnded: false }];
  }

  async happens({ afterMs, uses }: Burst): Promise<void> {
    fixture.clock.advance(afterMs);
    const named = uses.map(({ kind, age }) => ({ kind, generation: Math.max(1, this.#latest - age) }));
    const outcomes = await Promise.all(named.map((use) => this.#use(use)));
    const nowMs = fixture.clock.now().getTime();
    const explained = this.#possible.flatMap((session) => explanations(session, named, outcomes, nowMs));
    expect({ named, outcomes, explained: explained.length > 0 }).toEqual({ named, outcomes, explained: true });
    this.#possible = await this.#thatStandsSo(explained);
  }

  /** Requires that no issued token is accepted when the session has ended. */
  async ends(): Promise<void> {
    const outcomes = await Promise.all(this.#grants.map(({ accessToken }) => this.#admission(accessToken)));
    const hasEnded = this.#possible[0]?.hasEnded === true;
    for (const outcome of outcomes)
      expect(hasEnded ? ['TOKEN_REVOKED', 'TOKEN_EXPIRED'] : ['none', 'TOKEN_EXPIRED']).toContain(outcome);
  }

  async #use({ kind, generation }: Use): Promise<Outcome> {
    const token = signRefreshToken(fixture.accounts.serverSecret, { sessionId: this.#sessionId, generation });
    if (kind === 'logout') {
      const anonymous = await authenticate(fixture.accounts, []);
      return `${(await revokeToken(fixture.accounts, anonymous, { token, everywhere: false })).revokedSessions} ended`;
    }
    let next = 0;
    const reason = await reasonOf(
      fixture.refresh(token).then((grant) => {
        this.#grants.push(grant);
        next = verifyRefreshToken(fixture.accounts.serverSecret, grant.refreshToken)?.generation ?? 0;
      }),
    );
    this.#latest = Math.max(this.#latest, next);
    return reason === 'none' ? `token ${next}` : reason;
  }

  async #admission(accessToken: string): Promise<string> {
    const actor = await authenticate(fixture.accounts, [`Bearer ${accessToken}`]);
    return actor.kind === 'anonymous' ? actor.authenticationError.reason : 'none';
  }

  async #thatStandsSo(explained: readonly ModelSession[]): Promise<ModelSession[]> {
    const { rows } = await fixture.database.pool.query<{ generation: number }>(
      'select generation from session where id = $1',
      [this.#sessionId],
    );
    const standing = explained.filter(({ hasEnded, current }) =>
      hasEnded ? rows.length === 0 : rows[0]?.generation === current,
    );
    expect({ rows, explained: standing.length > 0 }).toEqual({ rows, explained: true });
    return distinct(standing);
  }
}

/** Different orders can lead to the same state. */
function distinct(sessions: readonly ModelSession[]): ModelSession[] {
  return [...new Map(sessions.map((session) => [JSON.stringify(session), session])).values()];
}

describe('session under parallel use of its tokens', () => {
  it('returns outcomes that some sequential order explains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 6 }), async (bursts) => {
        const login = await fixture.logIn('ada');
        const run = new Run((await fixture.actorOf(login)).sessionId, login);
        for (const each of bursts) await run.happens(each);
        await run.ends();
      }),
      { numRuns: 100 },
    );
  });

  it('is unknown when it never existed', async () => {
    const token = signRefreshToken(fixture.accounts.serverSecret, { sessionId: newId(), generation: 1 });
    expect(await reasonOf(fixture.refresh(token))).toBe('REFRESH_INVALID');
  });
});
