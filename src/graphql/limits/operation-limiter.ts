import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { exceededLimit } from './exceeded-limit.js';
import { measureOperation, type OperationSize } from './measure-operation.js';
import type { OperationLimits } from './operation-limits.js';

type Variables = Readonly<Record<string, unknown>>;

const NAMES = [
  'depth',
  'aliases',
  'directives',
  'rootFields',
  'cost',
] as const satisfies readonly (keyof OperationLimits)[];

/** Keeps operations within the limits. */
export class OperationLimiter {
  readonly #schema: GraphQLSchema;
  readonly #limits: OperationLimits;
  /** Of those whose size is the same whatever their variables are. */
  readonly #fixedSizes = new WeakMap<OperationDefinitionNode, OperationSize>();

  constructor(schema: GraphQLSchema, limits: OperationLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** What an operation of a valid document has too much of, with the variables that it is sent with; null for nothing. */
  findExcess(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): GraphQLError | null {
    const size = this.sizeOf(document, operation, variables);
    const name = NAMES.find((each) => size[each] > this.#limits[each]);
    return name === undefined ? null : exceededLimit(name, this.#limits[name], { size: size[name], node: operation });
  }

  /** How large an operation of a valid document is, with the variables that it is sent with. */
  sizeOf(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): OperationSize {
    const known = this.#fixedSizes.get(operation);
    if (known !== undefined) return known;
    const size = measureOperation(this.#schema, document, operation, variables);
    if (size.isFixed) this.#fixedSizes.set(operation, size);
    return size;
  }
}
