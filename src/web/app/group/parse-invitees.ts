import type { InviteeInput } from '../../generated/operations.js';

/** Divides what was typed into people. A name with an "@" is an email address, since usernames have none. */
export function parseInvitees(text: string): InviteeInput[] {
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  return names.map((name) => (name.includes('@') ? { email: name } : { username: name }));
}
