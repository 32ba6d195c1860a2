import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { exceededLimit } from './exceeded-limit.js';
import { measureOperation, type OperationSize } from './measure-operation.js';
import type { OperationLimits } from './operation-limits.js';

type Variables = Readonly<Record<string, unknown>>;

const LIMIT_NAMES = [
  'depth',
  'aliases',
  'directives',
  'rootFields',
  'cost',
] as const satisfies readonly (keyof OperationLimits)[];

/** Measures operations and compares them with the limits. */
export class OperationLimiter {
  readonly #schema: GraphQLSchema;
  readonly #limits: OperationLimits;
  /** Sizes of operations that do not depend on their variables. */
  readonly #fixedSizes = new WeakMap<OperationDefinitionNode, OperationSize>();

  constructor(schema: GraphQLSchema, limits: OperationLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** The error of the first limit that an operation of a valid document exceeds; null within all limits. */
  findExcess(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): GraphQLError | null {
    const size = this.sizeOf(document, operation, variables);
    const name = LIMIT_NAMES.find((each) => size[each] > this.#limits[each]);
    return name === undefined ? null : exceededLimit(name, this.#limits[name], { size: size[name], node: operation });
  }

  /** The size of an operation of a valid document, with these variables. */
  sizeOf(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): OperationSize {
    const known = this.#fixedSizes.get(operation);
    if (known !== undefined) return known;
    const size = measureOperation(this.#schema, document, operation, variables);
    if (size.isFixed) this.#fixedSizes.set(operation, size);
    return size;
  }
}
