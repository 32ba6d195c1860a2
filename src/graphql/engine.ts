import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from './context.js';
import type { ReportBug } from './errors.js';
import type { Executor } from './executor.js';

export type EngineName = 'yoga' | 'apollo';

export interface EngineOptions {
  readonly executor: Executor;
  /** Who asks, and what resolvers are given; the same each time it is called for a request. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  /** Hears of what an engine could not handle. */
  readonly reportBug: ReportBug;
}

/**
 * A GraphQL server behind one path: it reads requests, has the executor run them, and writes answers.
 *
 * It is handed well-formed requests for operations that exist, of valid documents; `accept` names one media type.
 */
export interface Engine {
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  stop(): Promise<void>;
}
