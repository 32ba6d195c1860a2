import type { Actor, ClientInfo } from '../../accounts/index.js';
import type { ErrorSubject } from '../../errors/index.js';

/** A security-relevant result of a request. Identifies accounts and keys by id and contains no input of the client. */
export interface SecurityEvent {
  readonly event: string;
  readonly outcome: 'ok' | 'refused';
  /** The reason of the error, of a rejection only. */
  readonly reason?: string;
  /** The field of Query, Mutation or Subscription that the event comes from. */
  readonly operation?: string;
  readonly requestId: string;
  /** The caller, or the account that a public mutation has verified; null for an unknown caller. */
  readonly userId: string | null;
  /** The account concerned, unless the caller's own: of a wrong password, an expired token, an admin action. */
  readonly subjectId?: string;
  /** The API key of the caller, or the key concerned. */
  readonly apiKeyId?: string;
  /** Null when the address is unknown. */
  readonly address: string | null;
}

/** Called with each security event, once. */
export type SecurityEventSink = (event: SecurityEvent) => void;

/** The request that an event comes from. */
export interface EventOrigin {
  readonly requestId: string;
  readonly actor: Actor;
  readonly client: ClientInfo;
}

export function requestOrigin({
  requestId,
  client,
}: Pick<EventOrigin, 'requestId' | 'client'>): Pick<SecurityEvent, 'requestId' | 'address'> {
  return { requestId, address: client.address };
}

export function eventPrincipals(
  { actor }: Pick<EventOrigin, 'actor'>,
  subject: ErrorSubject,
): Pick<SecurityEvent, 'userId' | 'subjectId' | 'apiKeyId'> {
  const userId = actor.kind === 'user' ? actor.userId : null;
  const apiKeyId = actor.kind === 'service' ? actor.apiKeyId : subject.apiKeyId;
  return {
    userId,
    ...(subject.userId === undefined || subject.userId === userId ? {} : { subjectId: subject.userId }),
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
  };
}
