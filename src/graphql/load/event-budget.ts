import type { RequestContext } from '../context/request-context.js';
import { callerKey } from './caller-key.js';
import { CostBudget } from './cost-budget.js';
import { EVENT_COST_PER_SECOND, EVENT_COST_PER_SECOND_AND_PERSON } from './load-limits.js';

/** How many are remembered before the full ones are forgotten. */
const MAX_REMEMBERED = 1_000;

/**
 * Bounds what the events of subscriptions may cost in a second, of one person and of all together. Events wait; none is
 * lost.
 */
export class EventBudget {
  readonly #all = new CostBudget(EVENT_COST_PER_SECOND);
  readonly #byPerson = new Map<string, CostBudget>();

  /**
   * Resolves when an event of that cost may be worked on. A program serves many people: it shares the budget of all.
   */
  async take(context: RequestContext, cost: number, leaving?: AbortSignal): Promise<void> {
    if (context.actor.kind !== 'service') await this.#of(callerKey(context)).take(cost, leaving);
    await this.#all.take(cost, leaving);
  }

  #of(person: string): CostBudget {
    const budget = this.#byPerson.get(person) ?? new CostBudget(EVENT_COST_PER_SECOND_AND_PERSON);
    if (!this.#byPerson.has(person) && this.#byPerson.size >= MAX_REMEMBERED) this.#forgetFull();
    this.#byPerson.set(person, budget);
    return budget;
  }

  #forgetFull(): void {
    for (const [person, budget] of this.#byPerson) if (budget.isFull) this.#byPerson.delete(person);
  }
}
