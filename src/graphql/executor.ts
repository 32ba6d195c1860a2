import {
  createSourceEventStream,
  execute as executeInterpreted,
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { foreground, Slices } from '../pacing/index.js';
import type { RequestContext } from './context.js';
import { DocumentCache, type DocumentOptions } from './document-cache.js';
import { emitRejectionEvents } from './emit-rejection-events.js';
import { domainErrorExtensions, toGraphQLError, toPublicError, toRequestError, VALIDATION_FAILED } from './errors.js';
import { isJitCompatible } from './jit-compatibility.js';
import { OperationLimiter } from './limits/operation-limiter.js';
import { callerKey } from './load/caller-key.js';
import { EventBudget } from './load/event-budget.js';
import { LargeOperations } from './load/large-operations.js';
import { MAX_FREE_COST, MAX_UNPACED_COST } from './load/load-limits.js';
import { paceLists } from './load/pace-lists.js';
import { writeDataInSlices } from './load/result-json.js';
import { requiresAuthentication } from './requires-authentication.js';
import { mapEvents, maskResultStream, singleResult, type ResultStream } from './result-stream.js';
import type { SecurityEventSink } from './security-events.js';
import { validateVariables } from './validate-variables.js';
import { compileVariableDefaults } from './variable-defaults.js';

export interface OperationRequest {
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

type Variables = Readonly<Record<string, unknown>>;
type Run = (context: RequestContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

/** The operations of a document by name, as they were made ready so far. */
interface Operations {
  readonly runs: Map<string, Run>;
  /** Operations that were asked for once: the second time they are compiled. */
  readonly seen: Set<string>;
}

/**
 * Runs GraphQL operations, and compiles one that comes again. Every door of the service runs its operations here,
 * so masking and answers are the same.
 */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentCache;
  readonly #operations = new WeakMap<DocumentNode, Operations>();

  readonly #limiter: OperationLimiter;
  readonly #slices = new Slices();
  readonly #largeOperations = new LargeOperations();
  readonly #eventBudget = new EventBudget();
  readonly #hear: SecurityEventSink;

  /** @param emit hears of refusals that matter to security */
  constructor(schema: GraphQLSchema, options: DocumentOptions, emit: SecurityEventSink = () => undefined) {
    this.schema = paceLists(schema);
    this.#hear = emit;
    this.documents = new DocumentCache(schema, options);
    this.#limiter = new OperationLimiter(schema, options.limits);
  }

  /** The operation that a request asks for; or what keeps it from being run, as clients may see it. */
  findOperation(
    source: string,
    operationName: string | null,
    requestId: string,
  ): ResolvedOperation | { readonly errors: readonly GraphQLError[] } {
    const document = this.documents.read(source);
    if ('refused' in document)
      return { errors: document.refused.map((error) => toRequestError(error, document.code, requestId)) };
    const operation = this.#operationOf(document, operationName);
    return operation === null ? { errors: [noSuchOperation(document, requestId)] } : { document, operation };
  }

  /** Checks a client's operation against the limits and runs it. Never rejects: every failure is in the result. */
  async executeOperation(request: ClientOperation): Promise<ExecutionResult> {
    const { operation, variables, context } = request;
    return this.#excessOf(request) ?? this.#execute({ ...operation, variables }, context);
  }

  /** Runs an operation of the service's own documents, without limits. Never rejects: every failure is in the result. */
  async executeDocument(
    document: DocumentNode,
    request: OperationRequest,
    context: RequestContext,
  ): Promise<ExecutionResult> {
    const operation = this.#operationOf(document, request.operationName);
    if (operation === null) return { errors: [noSuchOperation(document, context.requestId)] };
    return this.#execute({ document, operation, variables: request.variables ?? {} }, context);
  }

  async #execute(asked: AskedOperation, context: RequestContext): Promise<ExecutionResult> {
    try {
      return this.#present(await this.#run(asked, context), asked, context);
    } catch (error) {
      return this.#present({ errors: [toGraphQLError(error)] }, asked, context);
    }
  }

  /**
   * Checks a client's operation of any kind against the limits, and gives its results. Never rejects, and neither do they:
   * what keeps a subscription from beginning, or breaks it off, is in the last.
   */
  async streamOperation(request: ClientOperation): Promise<ResultStream> {
    const {
      operation: { document, operation },
      variables,
      context,
    } = request;
    const excess = this.#excessOf(request);
    if (excess !== null) return singleResult(excess);
    const asked: AskedOperation = { document, operation, variables };
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION)
      return singleResult(await this.#execute(asked, context));
    const present = (result: ExecutionResult): ExecutionResult => this.#present(result, asked, context);
    const cost = this.#costOf(asked);
    const leaving = new AbortController();
    const beforeEvent = (): Promise<void> => this.#eventBudget.take(context, cost, leaving.signal);
    const args = {
      schema: this.schema,
      document,
      contextValue: { ...context, beforeEvent },
      variableValues: asked.variables,
      operationName: operation.name?.value ?? null,
    };
    try {
      const events = await createSourceEventStream(args);
      if (!(Symbol.asyncIterator in events)) return singleResult(present(events));
      const execute = (rootValue: unknown): Promise<ExecutionResult> =>
        this.#paced(cost, async () => executeInterpreted({ ...args, rootValue }));
      return maskResultStream(mapEvents(events, execute, leaving), present);
    } catch (error) {
      return singleResult(present({ errors: [toGraphQLError(error)] }));
    }
  }

  /** Null for an operation that is within the limits, with the variables that it is run with. */
  #excessOf({ operation: { document, operation }, variables, context }: ClientOperation): ExecutionResult | null {
    const excess = this.#limiter.findExcess(document, operation, variables);
    return excess === null ? null : { errors: [toRequestError(excess, VALIDATION_FAILED, context.requestId)] };
  }

  /** Null also for a kind of operation that the schema has none of, which validation lets pass. */
  #operationOf(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | null {
    const operation = getOperationAST(document, name);
    return operation && this.schema.getRootType(operation.operation) ? operation : null;
  }

  async #run(asked: AskedOperation, context: RequestContext): Promise<ExecutionResult> {
    const cost = this.#costOf(asked);
    const run = (): Promise<ExecutionResult> =>
      this.#paced(cost, async () => this.#runOf(asked)(context, asked.variables));
    return cost > MAX_FREE_COST ? this.#largeOperations.run(callerKey(context), run) : run();
  }

  /** A large operation is worked on and written in slices, and stands back for the small ones. */
  #paced(cost: number, work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    return cost > MAX_UNPACED_COST
      ? this.#slices.run(async () => writeDataInSlices(await work()))
      : foreground.run(work);
  }

  #costOf({ document, operation, variables }: AskedOperation): number {
    return this.#limiter.sizeOf(document, operation, variables).cost;
  }

  #runOf({ document, operation }: AskedOperation): Run {
    const name = operation.name?.value ?? '';
    const { runs, seen } = this.#operationsOf(document);
    const ready = runs.get(name);
    if (ready !== undefined) return ready;
    if (!seen.has(name)) {
      seen.add(name);
      return this.#interpreted(document, operation);
    }
    const run = this.#compiled(document, operation);
    runs.set(name, run);
    return run;
  }

  #operationsOf(document: DocumentNode): Operations {
    const known = this.#operations.get(document) ?? { runs: new Map(), seen: new Set() };
    this.#operations.set(document, known);
    return known;
  }

  #interpreted(document: DocumentNode, operation: OperationDefinitionNode): Run {
    return (contextValue, variableValues) =>
      executeInterpreted({
        schema: this.schema,
        document,
        contextValue,
        variableValues,
        operationName: operation.name?.value ?? null,
      });
  }

  #compiled(document: DocumentNode, operation: OperationDefinitionNode): Run {
    if (!isJitCompatible(this.schema, document, operation)) return this.#interpreted(document, operation);
    const compiled = compileQuery(this.schema, document, operation.name?.value);
    if (!isCompiledQuery(compiled)) return this.#interpreted(document, operation);
    const complete = compileVariableDefaults(this.schema, operation);
    return (context, variables) =>
      compiled.query(undefined, context, complete === null ? variables : complete(variables));
  }

  /** Gives errors their public form. Without `data`, it was the variables that did not fit. */
  #present(result: ExecutionResult, asked: AskedOperation, context: RequestContext): ExecutionResult {
    if (result.errors === undefined || result.errors.length === 0) return result;
    const misfit = result.data === undefined ? this.#misfit(asked, context) : null;
    if (misfit !== null) return { errors: [misfit] };
    const source = asked.operation.loc?.source;
    const errors = result.errors.map((error) =>
      toPublicError(error, context.requestId, context.reportUnexpectedError, source),
    );
    emitRejectionEvents(this.#hear, result.errors, asked, context);
    return { ...result, errors };
  }

  /** Who has no token where one is needed hears of that first. */
  #misfit(
    { document, operation, variables }: AskedOperation,
    { actor, requestId }: RequestContext,
  ): GraphQLError | null {
    const misfit = validateVariables(this.schema, operation, variables);
    if (misfit === null) return null;
    const refusal =
      actor.kind === 'anonymous' && requiresAuthentication(this.schema, document, operation)
        ? actor.authenticationError
        : misfit;
    return new GraphQLError(refusal.message, {
      nodes: operation,
      extensions: domainErrorExtensions(refusal, requestId),
    });
  }
}

/** An operation of a valid document. */
export interface ResolvedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** What a client asks for, as `findOperation` found it. */
export interface ClientOperation {
  readonly operation: ResolvedOperation;
  readonly variables: Variables;
  readonly context: RequestContext;
}

interface AskedOperation extends ResolvedOperation {
  readonly variables: Variables;
}

function noSuchOperation(document: DocumentNode, requestId: string): GraphQLError {
  const count = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  const message =
    count > 1
      ? 'operationName must name one of the operations of the document.'
      : 'The document has no such operation.';
  return new GraphQLError(message, { extensions: { code: VALIDATION_FAILED, reason: 'INVALID_INPUT', requestId } });
}
