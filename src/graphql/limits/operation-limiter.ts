import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { exceededLimit } from './exceeded-limit.js';
import { measureOperation } from './measure-operation.js';
import type { OperationLimits } from './operation-limits.js';

const NAMES = ['depth', 'aliases', 'directives', 'rootFields', 'cost'] as const satisfies readonly (keyof OperationLimits)[];

/** Keeps operations within the limits. */
export class OperationLimiter {
  readonly #schema: GraphQLSchema;
  readonly #limits: OperationLimits;
  /** Those that are within the limits whatever their variables are. */
  readonly #fine = new WeakSet<OperationDefinitionNode>();

  constructor(schema: GraphQLSchema, limits: OperationLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** What an operation of a valid document has too much of, with the variables that it is sent with; null for nothing. */
  findExcess(document: DocumentNode, operation: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>): GraphQLError | null {
    if (this.#fine.has(operation)) return null;
    const size = measureOperation(this.#schema, document, operation, variables);
    const name = NAMES.find((each) => size[each] > this.#limits[each]);
    if (name !== undefined) return exceededLimit(name, this.#limits[name], { size: size[name], node: operation });
    if (size.isFixed) this.#fine.add(operation);
    return null;
  }
}
