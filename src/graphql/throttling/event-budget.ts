import type { RequestContext } from '../context/request-context.js';
import { callerKey } from './caller-key.js';
import { CostBudget } from './cost-budget.js';

/** Cost per second of the events of one user: the highest cost that one operation may have. */
const COST_PER_SECOND_AND_USER = 25_000;
/** Cost per second of all events of a process. */
const COST_PER_SECOND = 50_000;
/** Users with a budget in memory, above which full budgets are evicted. */
const MAX_BUDGETS = 1_000;

/** Bounds the cost per second of subscription events, per user and in total. Events wait; none is dropped. */
export class EventBudget {
  readonly #total = new CostBudget(COST_PER_SECOND);
  readonly #byUser = new Map<string, CostBudget>();

  /** Resolves when an event of this cost may be executed. API keys have no budget of their own. */
  async take(context: RequestContext, cost: number, signal?: AbortSignal): Promise<void> {
    if (context.actor.kind !== 'service') await this.#budgetOf(callerKey(context)).take(cost, signal);
    await this.#total.take(cost, signal);
  }

  #budgetOf(user: string): CostBudget {
    const budget = this.#byUser.get(user) ?? new CostBudget(COST_PER_SECOND_AND_USER);
    if (!this.#byUser.has(user) && this.#byUser.size >= MAX_BUDGETS) this.#evictFull();
    this.#byUser.set(user, budget);
    return budget;
  }

  #evictFull(): void {
    for (const [user, budget] of this.#byUser) if (budget.isFull) this.#byUser.delete(user);
  }
}
