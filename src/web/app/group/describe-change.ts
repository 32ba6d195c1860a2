import type { ChangeCause, ResponseStatus } from '../../generated/operations.js';
import { nameOf, STATE_LABELS } from '../ui/words.js';
import type { Change } from './watch-group.js';

/** What is known of the people of a change. The account of either may be gone. */
interface People {
  readonly actor: string;
  readonly subject: string;
}

/** Stands for a user whose account is deleted. */
const FORMER = 'A former user';

type Describe = (people: People, change: Change) => string;

const ANSWERED: Readonly<Record<ResponseStatus, string>> = {
  ACCEPTED: 'accepted',
  TENTATIVE: 'answered: perhaps',
  DECLINED: 'declined',
  PENDING: 'took back the answer',
};

const SENTENCES: Readonly<Record<ChangeCause, Describe>> = {
  CREATED: ({ actor }) => `${actor} created the group`,
  RESPONSE: ({ subject }, { status }) => `${subject} ${ANSWERED[status ?? 'PENDING']}`,
  INVITED: ({ actor, subject }, change) => `${actor} invited ${change.subject === null ? 'an email address' : subject}`,
  JOINED: ({ subject }) => `${subject} joined`,
  INVITATION_DECLINED: ({ subject }) => `${subject} declined an invitation`,
  INVITATION_REVOKED: ({ actor }) => `${actor} took back an invitation`,
  INVITATION_EXPIRED: () => 'An invitation expired',
  REMOVED: ({ actor, subject }) => `${actor} removed ${subject}`,
  LEFT: ({ subject }) => `${subject} left`,
  ROLE_CHANGED: ({ actor, subject }) => `${actor} changed the role of ${subject}`,
  RENAMED: ({ actor }) => `${actor} changed the name or the description`,
  RULE_CHANGED: ({ actor }) => `${actor} changed what is needed`,
  DEADLINE: () => 'The deadline passed',
  CANCELLED: ({ actor }) => `${actor} cancelled the group`,
  ACCOUNT_DELETED: () => 'A member deleted their account',
};

/** Returns one sentence: what happened, by whom, and the state if it changed. */
export function describeChange(change: Change): string {
  const people = {
    actor: change.actor === null ? FORMER : nameOf(change.actor),
    subject: change.subject === null ? FORMER : nameOf(change.subject),
  };
  const sentence = SENTENCES[change.cause](people, change);
  const isSameState = change.before === null || change.before === change.after;
  return isSameState ? `${sentence}.` : `${sentence}. The group is now: ${STATE_LABELS[change.after]}.`;
}
