import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { OperationTypeNode } from 'graphql';
import {
  bodyMediaType,
  isUncompressed,
  isValidTarget,
  newRequestId,
  parseJsonBody,
  type PublicUrl,
  type TrustProxy,
} from '../../http-core/index.js';
import type { ResolverDeps } from '../context/request-context.js';
import type { Engine, EngineRequest, EngineResponse } from '../engines/engine.js';
import { JSON_MEDIA_TYPE } from '../engines/response-status.js';
import type { Executor, InvalidOperation } from '../execution/executor.js';
import { isShort } from '../pacing/result-json.js';
import { parseGraphqlRequest } from './graphql-request.js';
import { createRequestContext, type ContextSource } from './register-request-context.js';
import { negotiateFormat } from './response-format.js';

/** Headers of every response with a result. */
export const NOT_STORED = { 'cache-control': 'no-store' };

export interface DirectRequestsOptions {
  readonly executor: Executor;
  readonly directLane: Engine;
  readonly resolverDeps: ResolverDeps;
  readonly publicUrl: PublicUrl;
  /** Path of the endpoint. */
  readonly path: string;
  readonly bodyLimitBytes: number;
  readonly trustProxy: TrustProxy;
  /** Whether responses depend on the origin of the script that sends the request. */
  readonly readsOrigin: boolean;
  /** Headers of every response. */
  readonly commonHeaders: Readonly<Record<string, string>>;
}

/** A request that was passed on after its body was read. */
interface PassedOn {
  readonly body: Buffer;
  readonly requestId: string;
  /** The errors of its document, so that it is not validated again; null when they are not known. */
  readonly invalid: InvalidOperation | null;
  /** Of the operation; null when it has not run. */
  readonly response: Promise<EngineResponse> | null;
}

/**
 * Answers the GraphQL requests that nearly all clients send, before Fastify: one operation as JSON by POST, with a
 * short response. Reason: for a small read, the router, hooks and body parser of Fastify take a seventh of the time.
 *
 * Any other request is passed on to Fastify, and so is one whose response is an error of HTTP, a stream, long or
 * compressed. So each of these has one implementation.
 */
export class DirectRequests {
  readonly #options: DirectRequestsOptions;
  readonly #passedOn = new WeakMap<IncomingMessage, PassedOn>();
  #isStopped = false;

  constructor(options: DirectRequestsOptions) {
    this.#options = options;
  }

  /** Answers a request, or passes it on. */
  handle(request: IncomingMessage, response: ServerResponse, passOn: RequestListener): void {
    if (!this.#isUsual(request)) {
      passOn(request, response);
      return;
    }
    readBody(request, (body) => void this.#answer(request, response, body, passOn));
  }

  /** Returns what is known of a request that was passed on; undefined for any other. */
  find(request: IncomingMessage): PassedOn | undefined {
    return this.#passedOn.get(request);
  }

  /** Passes on all further requests. To be called when the server begins to close, as Fastify refuses them then. */
  stop(): void {
    this.#isStopped = true;
  }

  #isUsual(request: IncomingMessage): boolean {
    const { publicUrl, path, bodyLimitBytes, readsOrigin } = this.#options;
    const { method, url = '', headers } = request;
    return (
      !this.#isStopped &&
      method === 'POST' &&
      publicUrl.withoutBasePath(url) === path &&
      bodyMediaType(headers) === JSON_MEDIA_TYPE &&
      hasBodyUpTo(bodyLimitBytes, headers['content-length']) &&
      !(readsOrigin && headers.origin !== undefined) &&
      isValidTarget(request)
    );
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    passOn: RequestListener,
  ): Promise<void> {
    const source = new DirectRequest(request, this.#options.trustProxy);
    const parsed = await this.#parse(source, body);
    const invalid = parsed !== null && 'errors' in parsed ? parsed : null;
    const answer = parsed === null || 'errors' in parsed ? null : this.#options.directLane.handle(parsed);
    try {
      const answered = await answer;
      if (answered !== null && isSentAtOnce(answered, request)) {
        this.#send(response, source.id, answered);
        return;
      }
    } catch {
      // The route gets the same error.
    }
    this.#passedOn.set(request, { body, requestId: source.id, invalid, response: answer });
    passOn(request, response);
  }

  /**
   * Returns the operation of a request, or the errors of its document. Null for any other error, which Fastify's route
   * finds too, and for a subscription.
   */
  async #parse(source: DirectRequest, body: Buffer): Promise<EngineRequest | InvalidOperation | null> {
    const { executor, resolverDeps, path } = this.#options;
    try {
      const format = negotiateFormat(source);
      if ('encoding' in format) return null;
      const { headers } = source;
      const http = { method: 'POST', url: path, headers, body: parseJsonBody(body, headers) };
      const request = parseGraphqlRequest(http, executor.documents.trusted);
      const operation = executor.findOperation(request.query, request.operationName, source.id);
      // A gateway may send documents that are not trusted.
      if ('errors' in operation) return executor.documents.trusted.isExclusive ? null : operation;
      if (operation.operation.operation === OperationTypeNode.SUBSCRIPTION) return null;
      const context = await createRequestContext(resolverDeps, source);
      return { ...request, operation, context, mediaType: format.mediaType };
    } catch {
      return null;
    }
  }

  #send(response: ServerResponse, requestId: string, { status, headers, body }: EngineResponse): void {
    response.writeHead(status, {
      'x-request-id': requestId,
      ...this.#options.commonHeaders,
      ...NOT_STORED,
      ...headers,
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }
}

/** What the context of an operation reads of a request. */
class DirectRequest implements ContextSource {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly #trustProxy: TrustProxy;

  constructor(raw: IncomingMessage, trustProxy: TrustProxy) {
    this.raw = raw;
    this.id = newRequestId(raw);
    this.#trustProxy = trustProxy;
  }

  get headers(): IncomingMessage['headers'] {
    return this.raw.headers;
  }

  get socket(): Socket {
    return this.raw.socket;
  }

  /** As Fastify computes them. */
  get ips(): string[] | undefined {
    return this.#trustProxy === false ? undefined : proxyAddr.all(this.raw, this.#trustProxy);
  }
}

/** False without the header, as with a transfer coding. */
function hasBodyUpTo(limitBytes: number, contentLength: string | undefined): boolean {
  const length = Number(contentLength);
  return length > 0 && length <= limitBytes;
}

function isSentAtOnce({ body }: EngineResponse, { headers }: IncomingMessage): boolean {
  return isShort(body) && isUncompressed(headers, body);
}

/**
 * Calls `onBody` when all bytes of a body with a Content-Length have arrived, which Node guarantees not to exceed it.
 * Never calls it for a client that disconnects before.
 */
function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const length = Number(request.headers['content-length']);
  const chunks: Buffer[] = [];
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (received === length) onBody(chunks.length === 1 ? chunk : Buffer.concat(chunks));
  });
}
