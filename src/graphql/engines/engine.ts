import type { RequestContext } from '../context/request-context.js';
import type { ResolvedOperation } from '../documents/resolved-operation.js';
import type { ReportUnexpectedError } from '../errors/public-error.js';
import type { Executor } from '../execution/executor.js';

export type EngineName = 'yoga' | 'apollo';

export interface EngineOptions {
  readonly executor: Executor;
  /** Hears of what an engine could not handle. */
  readonly reportUnexpectedError: ReportUnexpectedError;
}

/** A GraphQL-over-HTTP request, parsed. Nothing reads the URL or the body again. */
export interface GraphqlRequest {
  readonly query: string;
  /** Null where the document has one operation. */
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A request for an operation that exists, of a valid document. */
export interface EngineRequest extends GraphqlRequest {
  readonly operation: ResolvedOperation;
  /** The media type of the response. */
  readonly mediaType: string;
  readonly context: RequestContext;
}

export interface EngineResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A GraphQL server: it is handed a parsed request, has the executor run the operation, and builds the response.
 */
export interface Engine {
  handle(request: EngineRequest): Promise<EngineResponse>;
  stop(): Promise<void>;
}
