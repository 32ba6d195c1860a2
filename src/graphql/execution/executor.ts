import {
  createSourceEventStream,
  execute as executeInterpreted,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { foreground, SliceScheduler } from '../../async/pacing.js';
import type { RequestContext } from '../context/request-context.js';
import type { ResolvedOperation } from '../documents/resolved-operation.js';
import { domainErrorExtensions, toGraphQLError, toPublicError } from '../errors/public-error.js';
import { noSuchOperation, toRequestError, VALIDATION_FAILED } from '../errors/request-error.js';
import { OperationLimiter } from '../limits/operation-limiter.js';
import { paceLists } from '../pacing/pace-lists.js';
import { serializeInSlices } from '../pacing/result-json.js';
import { emitRejectionEvents } from '../security-events/emit-rejection-events.js';
import { callerKey } from '../throttling/caller-key.js';
import { EventBudget } from '../throttling/event-budget.js';
import { LargeOperationQueue, MAX_UNQUEUED_COST } from '../throttling/large-operation-queue.js';
import { DocumentCache, type DocumentOptions } from './document-cache.js';
import { isJitCompatible } from './jit-compatibility.js';
import { requiresAuthentication } from './requires-authentication.js';
import { mapEvents, maskResultStream, singleResult, type ResultStream } from './result-stream.js';
import { validateVariables } from './validate-variables.js';
import { compileVariableDefaults } from './variable-defaults.js';

/** Operations of a higher cost run in slices. One of this cost takes about a slice. */
const MAX_UNPACED_COST = 500;

export interface OperationRequest {
  readonly operationName?: string | null | undefined;
  readonly variables?: Variables | null | undefined;
}

/** A client's request for an operation that `findOperation` has resolved. */
export interface ClientOperation {
  readonly operation: ResolvedOperation;
  readonly variables: Variables;
  readonly context: RequestContext;
}

type Variables = Readonly<Record<string, unknown>>;
type Run = (context: RequestContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

interface PreparedOperation extends ResolvedOperation {
  readonly variables: Variables;
}

/** The operations of one document, by name. */
interface DocumentRuns {
  readonly compiled: Map<string, Run>;
  /** Operations that ran once. The second run compiles them. */
  readonly seen: Set<string>;
}

/**
 * Runs GraphQL operations, and compiles an operation that runs repeatedly. Every transport (GraphQL engines, event
 * streams, REST) uses it, so limits, error masking and security events are the same on each.
 */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentCache;
  readonly #runs = new WeakMap<DocumentNode, DocumentRuns>();

  readonly #limiter: OperationLimiter;
  readonly #slices = new SliceScheduler();
  readonly #largeOperations = new LargeOperationQueue();
  readonly #eventBudget = new EventBudget();

  constructor(schema: GraphQLSchema, options: DocumentOptions) {
    this.schema = paceLists(schema);
    this.documents = new DocumentCache(schema, options);
    this.#limiter = new OperationLimiter(schema, options.limits);
  }

  /** Resolves the operation of a request; or returns the errors of the document, in their public form. */
  findOperation(
    source: string,
    operationName: string | null,
    requestId: string,
    mayFederate = false,
  ): ResolvedOperation | { readonly errors: readonly GraphQLError[] } {
    const document = this.documents.read(source, mayFederate);
    if ('errors' in document)
      return { errors: document.errors.map((error) => toRequestError(error, document.code, requestId)) };
    const operation = this.#selectOperation(document, operationName);
    return operation === null ? { errors: [noSuchOperation(document, requestId)] } : { document, operation };
  }

  /** Checks a client's operation against the limits and runs it. Never rejects: every error is in the result. */
  async executeOperation(request: ClientOperation): Promise<ExecutionResult> {
    const { operation, variables, context } = request;
    return this.#findExcess(request) ?? this.#execute({ ...operation, variables }, context);
  }

  /** Runs an operation of the service's own documents, without limits. Never rejects: every error is in the result. */
  async executeDocument(
    document: DocumentNode,
    request: OperationRequest,
    context: RequestContext,
  ): Promise<ExecutionResult> {
    const operation = this.#selectOperation(document, request.operationName);
    if (operation === null) return { errors: [noSuchOperation(document, context.requestId)] };
    return this.#execute({ document, operation, variables: request.variables ?? {} }, context);
  }

  /**
   * Checks a client's operation of any kind against the limits and returns the stream of its results.
   *
   * Neither the promise nor the stream rejects. The last result contains the error that ended the subscription.
   */
  async streamOperation(request: ClientOperation): Promise<ResultStream> {
    const { operation, variables, context } = request;
    const excess = this.#findExcess(request);
    if (excess !== null) return singleResult(excess);
    const prepared: PreparedOperation = { ...operation, variables };
    return operation.operation.operation === OperationTypeNode.SUBSCRIPTION
      ? this.#subscribe(prepared, context)
      : singleResult(await this.#execute(prepared, context));
  }

  async #subscribe(prepared: PreparedOperation, context: RequestContext): Promise<ResultStream> {
    const present = (result: ExecutionResult): ExecutionResult => this.#present(result, prepared, context);
    const cost = this.#costOf(prepared);
    const unsubscribed = new AbortController();
    const beforeEvent = (): Promise<void> => this.#eventBudget.take(context, cost, unsubscribed.signal);
    const args = this.#executionArgs(prepared, { ...context, beforeEvent });
    try {
      const events = await createSourceEventStream(args);
      if (!(Symbol.asyncIterator in events)) return singleResult(present(events));
      const execute = (rootValue: unknown): Promise<ExecutionResult> =>
        this.#paced(cost, async () => executeInterpreted({ ...args, rootValue }));
      return maskResultStream(mapEvents(events, execute, unsubscribed), present);
    } catch (error) {
      return singleResult(present({ errors: [toGraphQLError(error)] }));
    }
  }

  async #execute(prepared: PreparedOperation, context: RequestContext): Promise<ExecutionResult> {
    try {
      return this.#present(await this.#run(prepared, context), prepared, context);
    } catch (error) {
      return this.#present({ errors: [toGraphQLError(error)] }, prepared, context);
    }
  }

  /** Null for an operation within the limits. */
  #findExcess({ operation: { document, operation }, variables, context }: ClientOperation): ExecutionResult | null {
    const excess = this.#limiter.findExcess(document, operation, variables);
    return excess === null ? null : { errors: [toRequestError(excess, VALIDATION_FAILED, context.requestId)] };
  }

  /** Null also for a kind of operation that the schema lacks. Validation accepts it. */
  #selectOperation(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | null {
    const operation = getOperationAST(document, name);
    return operation && this.schema.getRootType(operation.operation) ? operation : null;
  }

  async #run(prepared: PreparedOperation, context: RequestContext): Promise<ExecutionResult> {
    const cost = this.#costOf(prepared);
    const run = (): Promise<ExecutionResult> =>
      this.#paced(cost, async () => this.#runOf(prepared)(context, prepared.variables));
    return cost > MAX_UNQUEUED_COST ? this.#largeOperations.run(callerKey(context), run) : run();
  }

  /** A large operation runs and is serialized in slices, and waits for small operations between them. */
  #paced(cost: number, work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    return cost > MAX_UNPACED_COST
      ? this.#slices.run(async () => serializeInSlices(await work()))
      : foreground.run(work);
  }

  #costOf({ document, operation, variables }: PreparedOperation): number {
    return this.#limiter.sizeOf(document, operation, variables).cost;
  }

  #runOf(resolved: ResolvedOperation): Run {
    const name = resolved.operation.name?.value ?? '';
    const { compiled, seen } = this.#runsOf(resolved.document);
    const known = compiled.get(name);
    if (known !== undefined) return known;
    if (!seen.has(name)) {
      seen.add(name);
      return this.#interpret(resolved);
    }
    const run = this.#compile(resolved);
    compiled.set(name, run);
    return run;
  }

  #runsOf(document: DocumentNode): DocumentRuns {
    const runs = this.#runs.get(document) ?? { compiled: new Map(), seen: new Set() };
    this.#runs.set(document, runs);
    return runs;
  }

  #interpret(resolved: ResolvedOperation): Run {
    return (context, variables) => executeInterpreted(this.#executionArgs({ ...resolved, variables }, context));
  }

  #executionArgs({ document, operation, variables }: PreparedOperation, contextValue: RequestContext) {
    return {
      schema: this.schema,
      document,
      contextValue,
      variableValues: variables,
      operationName: operation.name?.value ?? null,
    };
  }

  #compile(resolved: ResolvedOperation): Run {
    const { document, operation } = resolved;
    if (!isJitCompatible(this.schema, document, operation)) return this.#interpret(resolved);
    const query = compileQuery(this.schema, document, operation.name?.value);
    if (!isCompiledQuery(query)) return this.#interpret(resolved);
    const fillDefaults = compileVariableDefaults(this.schema, operation);
    return (context, variables) =>
      query.query(undefined, context, fillDefaults === null ? variables : fillDefaults(variables));
  }

  /** Gives errors their public form and emits their security events. A result without `data` has invalid variables. */
  #present(result: ExecutionResult, prepared: PreparedOperation, context: RequestContext): ExecutionResult {
    if (result.errors === undefined || result.errors.length === 0) return result;
    const invalidVariables = result.data === undefined ? this.#validateVariables(prepared, context) : null;
    if (invalidVariables !== null) return { errors: [invalidVariables] };
    const source = prepared.operation.loc?.source;
    const errors = result.errors.map((error) =>
      toPublicError(error, context.requestId, context.reportUnexpectedError, source),
    );
    emitRejectionEvents(result.errors, prepared, context);
    return { ...result, errors };
  }

  /** The error of invalid variables; null for valid ones. A missing token takes precedence where one is required. */
  #validateVariables(prepared: PreparedOperation, { actor, requestId }: RequestContext): GraphQLError | null {
    const { operation, variables } = prepared;
    const invalid = validateVariables(this.schema, operation, variables);
    if (invalid === null) return null;
    const error =
      actor.kind === 'anonymous' && requiresAuthentication(this.schema, prepared) ? actor.authenticationError : invalid;
    return new GraphQLError(error.message, {
      nodes: operation,
      originalError: error,
      extensions: domainErrorExtensions(error, requestId),
    });
  }
}
