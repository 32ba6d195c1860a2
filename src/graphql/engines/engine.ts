import type { ReportUnexpectedError } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';
import type { Executor } from '../execution/executor.js';
import type { KnownOperation } from '../execution/known-operation.js';

export type EngineName = 'yoga' | 'apollo';

export interface EngineOptions {
  readonly executor: Executor;
  /** Called with each error that the engine itself did not handle. */
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/** A parsed GraphQL-over-HTTP request. Later steps read neither the URL nor the body. */
export interface GraphqlRequest {
  readonly query: string;
  /** Null selects the only operation of the document. */
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A request with its resolved operation. */
export interface EngineRequest extends GraphqlRequest {
  readonly operation: KnownOperation;
  /** The media type of the response. */
  readonly mediaType: string;
  readonly context: RequestContext;
}

export interface EngineResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A GraphQL server. Takes a parsed request, runs its operation with the executor and builds the response. */
export interface Engine {
  handle(request: EngineRequest): Promise<EngineResponse>;
  stop(): Promise<void>;
}
