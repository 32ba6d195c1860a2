import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../context/request-context.js';
import type { ResolvedOperation } from '../documents/resolved-operation.js';

export type Variables = Readonly<Record<string, unknown>>;
export type Run = (context: RequestContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

/** An operation of a cached document, with what earlier runs have left. A request carries it through all steps. */
export class KnownOperation implements ResolvedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Null until it is compiled. */
  compiled: Run | null = null;
  /** Whether it ran once. The second run compiles it. */
  hasRun = false;

  constructor(document: DocumentNode, operation: OperationDefinitionNode) {
    this.document = document;
    this.operation = operation;
  }
}
