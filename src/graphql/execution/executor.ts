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
import { deriveContext, type RequestContext } from '../context/request-context.js';
import type { ResolvedOperation } from '../documents/resolved-operation.js';
import { domainErrorExtensions, toGraphQLError, toPublicError } from '../errors/public-error.js';
import { noSuchOperation, toRequestError, VALIDATION_FAILED } from '../errors/request-error.js';
import type { OperationSize } from '../limits/measure-operation.js';
import { OperationLimiter } from '../limits/operation-limiter.js';
import { paceLists } from '../pacing/pace-lists.js';
import { serializeInSlices } from '../pacing/result-json.js';
import { readPreloadedValues } from '../policies/preloaded.js';
import { emitRejectionEvents } from '../security-events/emit-rejection-events.js';
import { callerKey } from '../throttling/caller-key.js';
import { EventBudget } from '../throttling/event-budget.js';
import { LargeOperationQueue, MAX_UNQUEUED_COST } from '../throttling/large-operation-queue.js';
import { DocumentCache, type DocumentOptions } from './document-cache.js';
import { isJitCompatible } from './jit-compatibility.js';
import { KnownOperation, type Run, type Variables } from './known-operation.js';
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
  readonly operation: KnownOperation;
  readonly variables: Variables;
  readonly context: RequestContext;
}

/** The errors of a document, or of the choice of one of its operations, in their public form. */
export interface InvalidOperation {
  readonly errors: readonly GraphQLError[];
}

/** A known operation with the variables of a request, and what measuring them has found. */
interface PreparedOperation {
  readonly known: KnownOperation;
  readonly variables: Variables;
  readonly size: OperationSize;
  /** True when the caller reads the data. Otherwise the data of a large result is serialized for the transport. */
  readonly isReadInProcess?: boolean;
}

/** The operations of one document, by the name that a request gives; null for none. */
type KnownOperations = Map<string | null, KnownOperation>;

/**
 * Runs GraphQL operations, and compiles an operation that runs repeatedly. Every transport (GraphQL engines, event
 * streams, REST) uses it, so limits, error masking and security events are the same on each.
 */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentCache;
  readonly #known = new WeakMap<DocumentNode, KnownOperations>();
  readonly #limiter: OperationLimiter;
  readonly #slices = new SliceScheduler();
  readonly #largeOperations = new LargeOperationQueue();
  readonly #eventBudget = new EventBudget();

  constructor(schema: GraphQLSchema, options: DocumentOptions) {
    this.schema = paceLists(readPreloadedValues(schema));
    this.documents = new DocumentCache(schema, options);
    this.#limiter = new OperationLimiter(schema, options.limits);
  }

  /** Resolves the operation of a request. */
  findOperation(
    source: string,
    operationName: string | null,
    requestId: string,
    mayFederate = false,
  ): KnownOperation | InvalidOperation {
    const document = this.documents.read(source, mayFederate);
    if ('errors' in document)
      return { errors: document.errors.map((error) => toRequestError(error, document.code, requestId)) };
    return this.#knownOperation(document, operationName) ?? { errors: [noSuchOperation(document, requestId)] };
  }

  /** Checks a client's operation against the limits and runs it. Never rejects: every error is in the result. */
  executeOperation(request: ClientOperation): Promise<ExecutionResult> {
    const prepared = this.#prepare(request.operation, request.variables);
    const excess = this.#findExcess(prepared, request.context);
    return excess === null ? this.#execute(prepared, request.context) : Promise.resolve(excess);
  }

  /** Runs an operation of the service's own documents, without limits. Never rejects: every error is in the result. */
  executeDocument(
    document: DocumentNode,
    request: OperationRequest,
    context: RequestContext,
  ): Promise<ExecutionResult> {
    const known = this.#knownOperation(document, request.operationName ?? null);
    if (known === null) return Promise.resolve({ errors: [noSuchOperation(document, context.requestId)] });
    const prepared = this.#prepare(known, request.variables ?? {});
    return this.#execute({ ...prepared, isReadInProcess: true }, context);
  }

  /**
   * Checks a client's operation of any kind against the limits and returns the stream of its results.
   *
   * Neither the promise nor the stream rejects. The last result contains the error that ended the subscription.
   */
  async streamOperation(request: ClientOperation): Promise<ResultStream> {
    const { operation, variables, context } = request;
    const prepared = this.#prepare(operation, variables);
    const excess = this.#findExcess(prepared, context);
    if (excess !== null) return singleResult(excess);
    return operation.operation.operation === OperationTypeNode.SUBSCRIPTION
      ? this.#subscribe(prepared, context)
      : singleResult(await this.#execute(prepared, context));
  }

  async #subscribe(prepared: PreparedOperation, context: RequestContext): Promise<ResultStream> {
    const present = (result: ExecutionResult): ExecutionResult => this.#present(result, prepared, context);
    const { cost } = prepared.size;
    const unsubscribed = new AbortController();
    const beforeEvent = (): Promise<void> => this.#eventBudget.take(context, cost, unsubscribed.signal);
    const args = this.#executionArgs(prepared.known, prepared.variables, deriveContext(context, { beforeEvent }));
    try {
      const events = await createSourceEventStream(args);
      if (!(Symbol.asyncIterator in events)) return singleResult(present(events));
      const execute = (rootValue: unknown): Promise<ExecutionResult> =>
        this.#paced(cost, async () => executeInterpreted({ ...args, rootValue }), serializeInSlices);
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
  #findExcess({ known, size }: PreparedOperation, { requestId }: RequestContext): ExecutionResult | null {
    const excess = this.#limiter.findExcess(size, known.operation);
    return excess === null ? null : { errors: [toRequestError(excess, VALIDATION_FAILED, requestId)] };
  }

  #prepare(known: KnownOperation, variables: Variables): PreparedOperation {
    return { known, variables, size: this.#limiter.sizeOf(known, variables) };
  }

  /** Returns the same object for the same operation; null when the name selects none. */
  #knownOperation(document: DocumentNode, name: string | null): KnownOperation | null {
    const operations = this.#operationsOf(document);
    const found = operations.get(name);
    if (found !== undefined) return found;
    const operation = this.#selectOperation(document, name);
    if (operation === null) return null;
    const known = new KnownOperation(document, operation);
    operations.set(name, known);
    return known;
  }

  #operationsOf(document: DocumentNode): KnownOperations {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    const operations: KnownOperations = new Map();
    this.#known.set(document, operations);
    return operations;
  }

  /** Null also for a kind of operation that the schema lacks. Validation accepts it. */
  #selectOperation(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | null {
    const operation = getOperationAST(document, name);
    return operation && this.schema.getRootType(operation.operation) ? operation : null;
  }

  #run(
    { known, variables, size, isReadInProcess }: PreparedOperation,
    context: RequestContext,
  ): Promise<ExecutionResult> {
    const serialize = isReadInProcess === true ? undefined : serializeInSlices;
    const execute = (): Promise<ExecutionResult> | ExecutionResult => this.#runOf(known)(context, variables);
    const run = (): Promise<ExecutionResult> => this.#paced(size.cost, execute, serialize);
    return size.cost > MAX_UNQUEUED_COST ? this.#largeOperations.run(callerKey(context), run) : run();
  }

  /** A large operation runs and is serialized in slices, and waits for small operations between them. */
  #paced(
    cost: number,
    work: () => Promise<ExecutionResult> | ExecutionResult,
    serialize: (result: ExecutionResult) => Promise<ExecutionResult> = (result) => Promise.resolve(result),
  ): Promise<ExecutionResult> {
    return cost > MAX_UNPACED_COST ? this.#slices.run(async () => serialize(await work())) : foreground.run(work);
  }

  #runOf(known: KnownOperation): Run {
    if (known.compiled !== null) return known.compiled;
    if (!known.hasRun) {
      known.hasRun = true;
      return this.#interpret(known);
    }
    return (known.compiled = this.#compile(known));
  }

  #interpret(resolved: ResolvedOperation): Run {
    return (context, variables) => executeInterpreted(this.#executionArgs(resolved, variables, context));
  }

  #executionArgs({ document, operation }: ResolvedOperation, variables: Variables, contextValue: RequestContext) {
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
    const source = prepared.known.operation.loc?.source;
    const errors = result.errors.map((error) =>
      toPublicError(error, context.requestId, context.reportUnexpectedError, source),
    );
    emitRejectionEvents(result.errors, prepared.known, context);
    return { ...result, errors };
  }

  /** The error of invalid variables; null for valid ones. A missing token takes precedence where one is required. */
  #validateVariables(prepared: PreparedOperation, { actor, requestId }: RequestContext): GraphQLError | null {
    const { known, variables } = prepared;
    const { operation } = known;
    const invalid = validateVariables(this.schema, operation, variables);
    if (invalid === null) return null;
    const error =
      actor.kind === 'anonymous' && requiresAuthentication(this.schema, known) ? actor.authenticationError : invalid;
    return new GraphQLError(error.message, {
      nodes: operation,
      originalError: error,
      extensions: domainErrorExtensions(error, requestId),
    });
  }
}
