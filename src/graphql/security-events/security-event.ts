import type { ErrorSubject } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';

/** Something that matters to security and came of a request. It names accounts and keys by their ids, and repeats nothing that was sent. */
export interface SecurityEvent {
  readonly event: string;
  readonly outcome: 'ok' | 'refused';
  /** Why it was refused. */
  readonly reason?: string;
  /** The field of Query, Mutation or Subscription that it came of. */
  readonly operation?: string;
  readonly requestId: string;
  /** Who asked, or who that turned out to be; null for nobody known. */
  readonly userId: string | null;
  /** Whom it concerns, where that is somebody else: whose password was tried, whose token had ended, whom an administrator kept out. */
  readonly subjectId?: string;
  /** The key that asked, or that it concerns. */
  readonly apiKeyId?: string;
  readonly address: string | null;
}

export type SecurityEventSink = (event: SecurityEvent) => void;

export function requestOrigin({
  requestId,
  client,
}: Pick<RequestContext, 'requestId' | 'client'>): Pick<SecurityEvent, 'requestId' | 'address'> {
  return { requestId, address: client.address };
}

export function eventPrincipals(
  { actor }: Pick<RequestContext, 'actor'>,
  about: ErrorSubject,
): Pick<SecurityEvent, 'userId' | 'subjectId' | 'apiKeyId'> {
  const userId = actor.kind === 'user' ? actor.userId : null;
  const apiKeyId = actor.kind === 'service' ? actor.apiKeyId : about.apiKeyId;
  return {
    userId,
    ...(about.userId === undefined || about.userId === userId ? {} : { subjectId: about.userId }),
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
  };
}
