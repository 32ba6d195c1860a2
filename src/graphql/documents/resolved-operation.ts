import type { DocumentNode, OperationDefinitionNode } from 'graphql';

/** An operation of a valid document. */
export interface ResolvedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}
