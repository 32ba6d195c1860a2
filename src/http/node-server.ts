import { createServer, type RequestListener, type Server } from 'node:http';
import type { DirectRequests } from '../graphql/transport/direct-requests.js';
import type { SendTimeout } from './send-timeout.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Interval at which both timeouts are checked. They end up to this much late. */
const CONNECTION_CHECK_MS = 1_000;
/** Longer than the idle timeout of proxies, often 60 s, so that none sends a request on a connection that closes. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

interface NodeServerOptions {
  /** Answers GraphQL requests before Fastify; null when Fastify answers all. */
  readonly directRequests: DirectRequests | null;
  readonly sendTimeout: SendTimeout;
}

/** Returns the factory of Node's servers for Fastify, which creates one for each address that it listens on. */
export function nodeServerFactory({ directRequests, sendTimeout }: NodeServerOptions) {
  return (answer: RequestListener): Server => {
    const options = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      // `requireValidTarget` checks it and responds in the error format of the path.
      requireHostHeader: false,
      // A request without a body emits no events of a stream.
      optimizeEmptyRequests: true,
    };
    const listener: RequestListener =
      directRequests === null
        ? answer
        : (request, response) => {
            directRequests.handle(request, response, answer);
          };
    return createServer(options, listener).on('connection', sendTimeout.watch);
  };
}
