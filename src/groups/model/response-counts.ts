import { Check, Embeddable, Property } from '@mikro-orm/decorators/legacy';

export const RESPONSE_STATUSES = ['PENDING', 'ACCEPTED', 'TENTATIVE', 'DECLINED'] as const;
export type ResponseStatus = (typeof RESPONSE_STATUSES)[number];

/** Read-only counts, for state functions and views. `ResponseCounts` stores them. */
export interface Counts {
  readonly pending: number;
  readonly accepted: number;
  readonly tentative: number;
  readonly declined: number;
  readonly openInvitations: number;
  readonly lapsedInvitations: number;
}

/** Copies counts from an entity, or from a row that contains them as columns. */
export function copyCounts(counts: Counts): Counts {
  const { pending, accepted, tentative, declined, openInvitations, lapsedInvitations } = counts;
  return { pending, accepted, tentative, declined, openInvitations, lapsedInvitations };
}

/**
 * Number of members by response, and of unanswered invitations.
 *
 * Stored on the group row, so that the cost of reading them does not depend on the size of the group.
 */
@Embeddable()
export class ResponseCounts implements Counts {
  @Property({ type: 'integer', fieldName: 'pending_count', default: 0 })
  pending: number = 0;

  @Property({ type: 'integer', fieldName: 'accepted_count', default: 0 })
  accepted: number = 0;

  @Property({ type: 'integer', fieldName: 'tentative_count', default: 0 })
  tentative: number = 0;

  @Property({ type: 'integer', fieldName: 'declined_count', default: 0 })
  declined: number = 0;

  /** Invitations that can be claimed. */
  @Property({ type: 'integer', fieldName: 'open_invitations', default: 0 })
  openInvitations: number = 0;

  /** Invitations that expired unanswered. */
  @Property({ type: 'integer', fieldName: 'lapsed_invitations', default: 0 })
  lapsedInvitations: number = 0;
}

const COUNT_COLUMNS = [
  'pending_count',
  'accepted_count',
  'tentative_count',
  'declined_count',
  'open_invitations',
  'lapsed_invitations',
];

/**
 * Declares the check constraints of an entity that embeds `ResponseCounts`: MikroORM 7.2 takes none from embeddables.
 */
export function CheckCounts(table: string): ClassDecorator {
  return (entity) => {
    for (const column of COUNT_COLUMNS)
      Check({ name: `${table}_${column}_check`, expression: `${column} >= 0` })(entity);
  };
}

const COUNTED_AS = {
  PENDING: 'pending',
  ACCEPTED: 'accepted',
  TENTATIVE: 'tentative',
  DECLINED: 'declined',
} as const satisfies Record<ResponseStatus, keyof Counts>;

/**
 * Moves one member from one response to another.
 *
 * @param from null for a member who joins
 * @param to null for a member who leaves
 */
export function adjustCounts(counts: ResponseCounts, from: ResponseStatus | null, to: ResponseStatus | null): void {
  if (from !== null) counts[COUNTED_AS[from]] -= 1;
  if (to !== null) counts[COUNTED_AS[to]] += 1;
}

/** Number of members with this response. */
export function countByStatus(counts: Counts, status: ResponseStatus): number {
  return counts[COUNTED_AS[status]];
}

export function memberCount(counts: Counts): number {
  return counts.pending + counts.accepted + counts.tentative + counts.declined;
}
