import type { GroupState, PersonNameFragment, ResponseStatus } from '../../generated/operations.js';

export const STATE_LABELS: Readonly<Record<GroupState, string>> = {
  FORMING: 'Forming',
  CONFIRMED: 'Confirmed',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
};

export const STATE_SENTENCES: Readonly<Record<GroupState, string>> = {
  FORMING: 'Still open: more people have to accept.',
  CONFIRMED: 'Enough people have accepted. It takes place.',
  FAILED: 'Too many did not accept. It does not take place as things stand.',
  EXPIRED: 'The deadline passed before enough people had accepted.',
  CANCELLED: 'An owner cancelled it.',
};

export const STATUS_LABELS: Readonly<Record<ResponseStatus, string>> = {
  ACCEPTED: 'Accepted',
  TENTATIVE: 'Perhaps',
  DECLINED: 'Declined',
  PENDING: 'No answer yet',
};

export function nameOf({ displayName, username }: PersonNameFragment): string {
  return displayName ?? username;
}

const DATE_AND_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** @param time in ISO 8601 */
export function dateAndTime(time: string): string {
  return DATE_AND_TIME.format(new Date(time));
}

/** @param time in ISO 8601 */
export function dateOf(time: string): string {
  return DATE.format(new Date(time));
}
