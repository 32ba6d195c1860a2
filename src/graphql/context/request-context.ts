import type { AccountsDeps, Actor } from '../../accounts/index.js';
import type { KeyedSemaphore } from '../../async/keyed-semaphore.js';
import type { ReportUnexpectedError } from '../../errors/index.js';
import type { GroupsDeps } from '../../groups/index.js';
import type { RequestMetadata } from '../../http-core/index.js';
import type { SecurityEventSink } from '../security-events/security-event.js';

/** The parts of the service that resolvers use. */
export interface ResolverDeps {
  readonly accounts: AccountsDeps;
  readonly groups: GroupsDeps;
  /** Runs the mutations of each caller, a few of them concurrently. */
  readonly mutationSlots: KeyedSemaphore;
  readonly emitSecurityEvent: SecurityEventSink;
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/** The context of every resolver, the same for GraphQL and REST requests. */
export interface RequestContext extends RequestMetadata, ResolverDeps {
  readonly actor: Actor;
  /** Authenticates the same token again, for subscriptions and streams that outlast it. */
  reauthenticate(): Promise<Actor>;
  /** Authenticates the API key of a gateway: the header Convene-Gateway-Key, or else the Authorization header. */
  authenticateGateway(): Promise<Actor>;
  /** Of a subscription only: resolves when its next event may be executed. Set by the executor. */
  readonly beforeEvent?: () => Promise<void>;
}

/** Returns a context that differs from another in some properties. A spread would compute all that is computed late. */
export function deriveContext(
  context: RequestContext,
  changes: Partial<Pick<RequestContext, 'actor' | 'beforeEvent'>>,
): RequestContext {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- it inherits all properties of a context
  return Object.assign(Object.create(context) as RequestContext, changes);
}
