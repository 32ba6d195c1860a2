import fc from 'fast-check';
import { GROUP_ROLES, RESPONSE_STATUSES, type GroupRole, type ResponseStatus } from '../../../src/groups/index.js';

/**
 * Number of users in a model run. User 0 creates the group. Each has the address of their number, verified except for
 * `UNVERIFIED_SEAT`. `ADMIN_SEAT` is an administrator. Addresses from `SEATS` on belong to no account.
 */
export const SEATS = 6;
export const UNVERIFIED_SEAT = 4;
export const ADMIN_SEAT = 5;
const ADDRESSES = SEATS + 2;
/** For how long an invitation can be claimed. */
export const OPEN_DAYS = 14;

export type Invitee = { readonly seat: number } | { readonly username: number } | { readonly address: number };

/** By which right an invitation is claimed: the link in force, one that it replaced, or the inbox. */
export type Right = 'LINK' | 'OLD_LINK' | 'INBOX';

/** One call by a user. `by`, `seat` and `username` are seats. */
export type Step =
  | { readonly kind: 'answer'; readonly by: number | 'PROGRAM'; readonly seat: number; readonly status: ResponseStatus }
  | { readonly kind: 'invite'; readonly by: number; readonly invitees: readonly Invitee[] }
  | {
      readonly kind: 'claim';
      readonly by: number;
      readonly address: number;
      readonly right: Right;
      readonly status: ResponseStatus;
    }
  | { readonly kind: 'prove'; readonly by: number }
  | { readonly kind: 'revoke'; readonly by: number; readonly address: number }
  | { readonly kind: 'rule'; readonly by: number; readonly quorum?: number | null; readonly days?: number | null }
  | { readonly kind: 'rename'; readonly by: number; readonly name: string }
  | { readonly kind: 'role'; readonly by: number; readonly seat: number; readonly role: GroupRole }
  | { readonly kind: 'remove'; readonly by: number; readonly seat: number }
  | { readonly kind: 'leave'; readonly by: number }
  | { readonly kind: 'cancel'; readonly by: number }
  | { readonly kind: 'deleteAccount'; readonly by: number }
  | { readonly kind: 'score' }
  /** `punctual`: runs the due tasks after the wait; otherwise the next call finds them unrecorded. */
  | { readonly kind: 'wait'; readonly days: number; readonly punctual: boolean };

const seat = fc.nat({ max: SEATS - 1 });
/** Often the same one, so that it is invited again. */
const address = fc.oneof(
  { weight: 2, arbitrary: fc.constant(SEATS) },
  { weight: 3, arbitrary: fc.nat({ max: ADDRESSES - 1 }) },
);
const status = fc.constantFrom(...RESPONSE_STATUSES);
/** Mostly people who may. */
const manager = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(ADMIN_SEAT) },
  { weight: 2, arbitrary: seat },
);
const kind = <const Kind extends Step['kind']>(name: Kind) => fc.constant(name);

const invitee: fc.Arbitrary<Invitee> = fc.oneof(
  fc.record({ seat }),
  fc.record({ username: seat }),
  fc.record({ address }),
  fc.record({ address }),
);

const ownAnswer = fc
  .record({ seat, status })
  .map(({ seat: own, status: given }): Step => ({ kind: 'answer', by: own, seat: own, status: given }));
const anyAnswer = fc.record({
  kind: kind('answer'),
  by: fc.oneof(seat, fc.constant('PROGRAM' as const)),
  seat,
  status,
});
/** Often by the owner of the address, from the inbox. */
const ownClaim = fc
  .record({ by: seat, status })
  .map(({ by, status: given }): Step => ({ kind: 'claim', by, address: by, right: 'INBOX', status: given }));
const anyClaim = fc.record({
  kind: kind('claim'),
  by: seat,
  address,
  right: fc.constantFrom<Right>('LINK', 'LINK', 'LINK', 'OLD_LINK', 'INBOX'),
  status,
});

/** What leaves time as it is. */
export const steps: readonly fc.WeightedArbitrary<Step>[] = [
  { weight: 6, arbitrary: ownAnswer },
  { weight: 3, arbitrary: anyAnswer },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: kind('invite'),
      by: manager,
      invitees: fc.array(invitee, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: anyClaim },
  { weight: 2, arbitrary: ownClaim },
  { weight: 2, arbitrary: fc.record({ kind: kind('prove'), by: fc.oneof(fc.constant(UNVERIFIED_SEAT), seat) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('revoke'), by: manager, address }) },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({ kind: kind('rule'), by: manager, quorum: fc.option(fc.integer({ min: 1, max: SEATS })) }),
      fc.record({ kind: kind('rule'), by: manager, days: fc.option(fc.integer({ min: 1, max: 20 })) }),
      fc.record({
        kind: kind('rule'),
        by: manager,
        quorum: fc.option(fc.integer({ min: 1, max: SEATS })),
        days: fc.integer({ min: 1, max: 20 }),
      }),
    ),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('rename'), by: manager, name: fc.constantFrom('Choir', 'Band') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('role'), by: manager, seat, role: fc.constantFrom(...GROUP_ROLES) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('remove'), by: manager, seat }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('leave'), by: seat }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('cancel'), by: manager }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('deleteAccount'), by: seat }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('score') }) },
];

export const wait: fc.WeightedArbitrary<Step> = {
  weight: 5,
  arbitrary: fc.record({
    kind: kind('wait'),
    days: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(OPEN_DAYS)),
    punctual: fc.boolean(),
  }),
};
