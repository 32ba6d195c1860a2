import type { GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { ResolvedOperation } from '../documents/resolved-operation.js';
import { exceededLimit } from './exceeded-limit.js';
import { measureOperation, type OperationSize } from './measure-operation.js';
import type { OperationLimits } from './operation-limits.js';

/** Sizes in memory of one operation, by the values of the variables that they depend on. */
interface MeasuredSizes {
  readonly names: readonly string[];
  readonly byValues: Map<string, OperationSize>;
}

const MAX_SIZES_PER_OPERATION = 100;

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
  readonly #measured = new WeakMap<ResolvedOperation, MeasuredSizes>();

  constructor(schema: GraphQLSchema, limits: OperationLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** The error of the first limit that an operation of this size exceeds; null within all limits. */
  findExcess(size: OperationSize, operation: OperationDefinitionNode): GraphQLError | null {
    const name = LIMIT_NAMES.find((each) => size[each] > this.#limits[each]);
    return name === undefined ? null : exceededLimit(name, this.#limits[name], { size: size[name], node: operation });
  }

  /** The size of an operation of a valid document, with these variables. It is measured once for each page size. */
  sizeOf(resolved: ResolvedOperation, variables: Variables): OperationSize {
    const measured = this.#measured.get(resolved);
    const known = measured?.byValues.get(sizingValues(measured.names, variables));
    if (known !== undefined) return known;
    const size = measureOperation(this.#schema, resolved.document, resolved.operation, variables);
    this.#remember(resolved, size, variables);
    return size;
  }

  #remember(resolved: ResolvedOperation, size: OperationSize, variables: Variables): void {
    const measured = this.#measured.get(resolved) ?? { names: [...size.sizingVariables], byValues: new Map() };
    if (measured.byValues.size >= MAX_SIZES_PER_OPERATION) measured.byValues.clear();
    measured.byValues.set(sizingValues(measured.names, variables), size);
    this.#measured.set(resolved, measured);
  }
}

/** Text of what the size depends on: the number of a page size, and the length of a list. */
function sizingValues(names: readonly string[], variables: Variables): string {
  return names.map((name) => (Object.hasOwn(variables, name) ? sizingValue(variables[name]) : 'absent')).join(' ');
}

function sizingValue(value: unknown): string {
  if (Array.isArray(value)) return `list of ${String(value.length)}`;
  return typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
}
