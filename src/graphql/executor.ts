import {
  type DocumentNode, execute as executeInterpreted, type ExecutionResult, getOperationAST, GraphQLError, type GraphQLSchema, Kind,
  type OperationDefinitionNode, parse, validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from './context.js';
import { PARSE_FAILED, publicError, refusalExtensions, requestError, VALIDATION_FAILED } from './errors.js';
import { variableProblems } from './input-problems.js';

/** Documents that are remembered; clients send the same few over and over. */
const REMEMBERED_DOCUMENTS = 1_000;

export interface OperationRequest {
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

type Run = (context: RequestContext, variables: Readonly<Record<string, unknown>>) => Promise<ExecutionResult> | ExecutionResult;

/** A parsed and valid document, with its operations made ready as they are asked for. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  readonly runs: Map<string, Run>;
  /** Operations that were asked for once: the second time they are compiled. */
  readonly seen: Set<string>;
}

export interface RefusedDocument {
  readonly refused: readonly GraphQLError[];
  readonly code: string;
}

/**
 * Runs GraphQL operations: parses and validates a document once, remembers it, and compiles an operation that
 * comes again. Every door of the service runs its operations here, so limits, masking and answers are the same.
 */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly #documents = new LRUCache<string, PreparedDocument>({ max: REMEMBERED_DOCUMENTS });
  readonly #byNode = new WeakMap<DocumentNode, PreparedDocument>();

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  /** Parses and validates; a document that was seen before costs a look-up. */
  prepare(source: string): PreparedDocument | RefusedDocument {
    const known = this.#documents.get(source);
    if (known !== undefined) return known;
    const prepared = this.#prepareNew(source);
    if ('document' in prepared) this.#documents.set(source, prepared);
    return prepared;
  }

  /** Runs one operation of a document given as text. Never rejects: every failure is in the answer. */
  async executeSource(source: string, request: OperationRequest, context: RequestContext): Promise<ExecutionResult> {
    const prepared = this.prepare(source);
    if ('refused' in prepared) {
      return { errors: prepared.refused.map((error) => requestError(error, prepared.code, context.requestId)) };
    }
    return this.#run(prepared, request, context);
  }

  /** Runs one operation of a document that an engine has parsed and validated. */
  async executeDocument(document: DocumentNode, request: OperationRequest, context: RequestContext): Promise<ExecutionResult> {
    let prepared = this.#byNode.get(document);
    if (prepared === undefined) {
      prepared = { document, runs: new Map(), seen: new Set() };
      this.#byNode.set(document, prepared);
    }
    return this.#run(prepared, request, context);
  }

  #prepareNew(source: string): PreparedDocument | RefusedDocument {
    let document: DocumentNode;
    try {
      document = parse(source);
    } catch (error) {
      if (error instanceof GraphQLError) return { refused: [error], code: PARSE_FAILED };
      throw error;
    }
    const problems = validate(this.schema, document);
    if (problems.length > 0) return { refused: problems, code: VALIDATION_FAILED };
    const prepared: PreparedDocument = { document, runs: new Map(), seen: new Set() };
    this.#byNode.set(document, prepared);
    return prepared;
  }

  async #run(prepared: PreparedDocument, request: OperationRequest, context: RequestContext): Promise<ExecutionResult> {
    const operation = getOperationAST(prepared.document, request.operationName);
    if (!operation) return { errors: [noSuchOperation(prepared.document, context.requestId)] };
    const variables = request.variables ?? {};
    try {
      const result = await this.#runOf(prepared, operation)(context, variables);
      return this.#present(result, operation, variables, context);
    } catch (error) {
      return this.#present({ errors: [asGraphQLError(error)] }, operation, variables, context);
    }
  }

  #runOf(prepared: PreparedDocument, operation: OperationDefinitionNode): Run {
    const name = operation.name?.value ?? '';
    const ready = prepared.runs.get(name);
    if (ready !== undefined) return ready;
    if (!prepared.seen.has(name)) {
      prepared.seen.add(name);
      return this.#interpreted(prepared.document, operation);
    }
    const run = this.#compiled(prepared.document, operation);
    prepared.runs.set(name, run);
    return run;
  }

  #interpreted(document: DocumentNode, operation: OperationDefinitionNode): Run {
    return (contextValue, variableValues) =>
      executeInterpreted({
        schema: this.schema, document, contextValue, variableValues, operationName: operation.name?.value ?? null,
      });
  }

  #compiled(document: DocumentNode, operation: OperationDefinitionNode): Run {
    const compiled = compileQuery(this.schema, document, operation.name?.value);
    if (!isCompiledQuery(compiled)) return this.#interpreted(document, operation);
    return (context, variables) => compiled.query(undefined, context, variables);
  }

  /** Gives errors their public form. Without `data`, it was the variables that did not fit. */
  #present(
    result: ExecutionResult,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): ExecutionResult {
    if (result.errors === undefined || result.errors.length === 0) return result;
    const misfit = result.data === undefined ? variableProblems(this.schema, operation, variables) : null;
    if (misfit !== null) {
      return { errors: [new GraphQLError(misfit.message, { nodes: operation, extensions: refusalExtensions(misfit, context.requestId) })] };
    }
    return { ...result, errors: result.errors.map((error) => publicError(error, context.requestId, context.reportBug)) };
  }
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) });
}

function noSuchOperation(document: DocumentNode, requestId: string): GraphQLError {
  const count = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  const message = count > 1 ? 'operationName must name one of the operations of the document.' : 'The document has no such operation.';
  return new GraphQLError(message, { extensions: { code: VALIDATION_FAILED, reason: 'INVALID_INPUT', requestId } });
}
