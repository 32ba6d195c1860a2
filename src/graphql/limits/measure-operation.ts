import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../paging/index.js';
import { isListOfObjects } from '../documents/is-list-of-objects.js';
import { selectsEntries } from '../documents/selects-field.js';
import { fieldCost } from '../policies/cost.js';
import type { OperationLimits } from './operation-limits.js';

export interface OperationSize extends Readonly<Record<keyof OperationLimits, number>> {
  /** Names of the variables on whose values the size depends. */
  readonly sizingVariables: ReadonlySet<string>;
}

/** The size of a selection set, to be added to that of its field or fragment. */
interface SetSize {
  readonly fields: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Cost of the fields that are selected once. */
  readonly cost: number;
  /** Cost of the fields of list entries, for one entry. The `first` of the enclosing field multiplies it. */
  readonly costPerEntry: number;
  /** The same for all entries, for an enclosing field without `first`. */
  readonly costUnpaged: number;
}

type Costs = Pick<SetSize, 'cost' | 'costPerEntry' | 'costUnpaged'>;
type Variables = Readonly<Record<string, unknown>>;

const EMPTY: SetSize = { fields: 0, depth: 0, aliases: 0, directives: 0, cost: 0, costPerEntry: 0, costUnpaged: 0 };
const PAGE_SIZE = 'first';
const BACKWARD_PAGE_SIZE = 'last';
/** Assumed length of a list without `first` and without `@MaxEntries`. */
const DEFAULT_ENTRIES = DEFAULT_PAGE_SIZE;

/** Measures an operation of a valid document, with these variables. */
export function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): OperationSize {
  const measure = new Measure(schema, document, operation, variables);
  const { fields, depth, aliases, directives, cost, costUnpaged } = measure.set(
    schema.getRootType(operation.operation)?.name ?? '',
    operation.selectionSet,
  );
  return {
    rootFields: fields,
    depth,
    aliases,
    cost: cost + costUnpaged,
    directives: directives + (operation.directives?.length ?? 0),
    sizingVariables: measure.sizingVariables,
  };
}

class Measure {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Variables;
  /** Each fragment is measured once, because nested spreads can grow exponentially. */
  readonly #measured = new Map<string, SetSize>();

  readonly sizingVariables = new Set<string>();

  constructor(
    schema: GraphQLSchema,
    { definitions }: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
  ) {
    this.#schema = schema;
    this.#fragments = new Map(
      definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
    );
    this.#variables = { ...defaultsOf(operation), ...variables };
  }

  set(typeName: string, { selections }: SelectionSetNode): SetSize {
    // A repeated spread in the same selection set selects no further fields.
    const spread = new Set<string>();
    return selections.reduce((total, selection) => {
      const directives = { ...EMPTY, directives: selection.directives?.length ?? 0 };
      switch (selection.kind) {
        case Kind.FIELD:
          return sum(total, directives, this.#field(typeName, selection));
        case Kind.INLINE_FRAGMENT:
          return sum(
            total,
            directives,
            this.set(selection.typeCondition?.name.value ?? typeName, selection.selectionSet),
          );
        case Kind.FRAGMENT_SPREAD: {
          const isNew = !spread.has(selection.name.value);
          spread.add(selection.name.value);
          return sum(total, directives, isNew ? this.#fragment(selection.name.value) : EMPTY);
        }
      }
    }, EMPTY);
  }

  #fragment(name: string): SetSize {
    const measured = this.#measured.get(name);
    if (measured !== undefined) return measured;
    const fragment = this.#fragments.get(name);
    const size = fragment === undefined ? EMPTY : this.set(fragment.typeCondition.name.value, fragment.selectionSet);
    this.#measured.set(name, size);
    return size;
  }

  #field(typeName: string, node: FieldNode): SetSize {
    const field = this.#fieldOf(typeName, node.name.value);
    const inner =
      node.selectionSet === undefined
        ? EMPTY
        : this.set(field === undefined ? '' : getNamedType(field.type).name, node.selectionSet);
    return {
      fields: 1,
      depth: isIntrospection(node) ? 0 : inner.depth + 1,
      aliases: inner.aliases + (node.alias === undefined ? 0 : 1),
      directives: inner.directives,
      ...this.#costs(node, field, inner),
    };
  }

  #costs(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined, inner: SetSize): Costs {
    if (field === undefined) return { cost: 1 + inner.cost + inner.costUnpaged, costPerEntry: 0, costUnpaged: 0 };
    const { own, maxEntries } = fieldCost(field);
    const entries = this.#entries(node, field);
    const whole = inner.cost + inner.costUnpaged;
    if (isListOfObjects(field)) {
      // Its own arguments bound a list that has such. The `first` of the connection bounds `nodes` and `edges`.
      if (entries !== null) return { cost: entries * (1 + whole), costPerEntry: 0, costUnpaged: 0 };
      return { cost: own, costPerEntry: whole, costUnpaged: (maxEntries ?? DEFAULT_ENTRIES) * whole };
    }
    if (entries === null) return { cost: own + whole, costPerEntry: 0, costUnpaged: 0 };
    const rows = selectsEntries([node.selectionSet], (name) => this.#fragments.get(name)) ? entries : 1;
    return { cost: rows + inner.cost + entries * inner.costPerEntry, costPerEntry: 0, costUnpaged: 0 };
  }

  /** Number of entries that the arguments of a field ask for; null where no argument bounds them. */
  #entries(node: FieldNode, field: GraphQLField<unknown, unknown>): number | null {
    const { entriesOf, maxEntries } = fieldCost(field);
    if (entriesOf === null) return this.#pageSize(node, field);
    const values = this.#valueOf(node, entriesOf);
    // A single value stands for a list of one.
    const count = Array.isArray(values) ? values.length : 1;
    return Math.min(Math.max(count, 1), maxEntries ?? MAX_PAGE_SIZE);
  }

  /** Undefined for an argument that is not given. */
  #valueOf(node: FieldNode, argument: string): unknown {
    const given = node.arguments?.find(({ name }) => name.value === argument)?.value;
    if (given?.kind === Kind.VARIABLE) this.sizingVariables.add(given.name.value);
    return given === undefined ? undefined : valueFromASTUntyped(given, this.#variables);
  }

  /** Null for a field without `first`. The domain rejects a page size out of range before it reads the list. */
  #pageSize(node: FieldNode, field: GraphQLField<unknown, unknown>): number | null {
    const argument = field.args.find(({ name }) => name === PAGE_SIZE);
    if (argument === undefined) return null;
    const [last, first] = [this.#valueOf(node, BACKWARD_PAGE_SIZE), this.#valueOf(node, PAGE_SIZE)];
    const size = last ?? first ?? argument.defaultValue;
    return typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  }

  /** Undefined for introspection, which costs 1 per field. The schema bounds its lists, a rule their nesting. */
  #fieldOf(typeName: string, fieldName: string): GraphQLField<unknown, unknown> | undefined {
    const type = typeName.startsWith('__') ? undefined : this.#schema.getType(typeName);
    return isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  }
}

function sum(...sizes: readonly SetSize[]): SetSize {
  return sizes.reduce((one, other) => ({
    fields: one.fields + other.fields,
    depth: Math.max(one.depth, other.depth),
    aliases: one.aliases + other.aliases,
    directives: one.directives + other.directives,
    cost: one.cost + other.cost,
    costPerEntry: one.costPerEntry + other.costPerEntry,
    costUnpaged: one.costUnpaged + other.costUnpaged,
  }));
}

/** `__schema`, `__type` and `__typename`. */
function isIntrospection({ name }: FieldNode): boolean {
  return name.value.startsWith('__');
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
}
