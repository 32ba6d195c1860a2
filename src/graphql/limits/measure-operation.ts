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
import { MAX_PAGE_SIZE } from '../../paging/index.js';
import { isListOfObjects } from '../list-fields.js';
import { DEFAULT_PAGE_SIZE } from '../page-args.js';
import { selectsEntries } from '../selects-entries.js';
import { fieldCost } from './field-cost.js';
import type { OperationLimits } from './operation-limits.js';

export interface OperationSize extends Readonly<Record<keyof OperationLimits, number>> {
  /** Whether it is the same whatever the variables are. */
  readonly isFixed: boolean;
}

/** What a selection set adds to whatever holds it. */
interface SetSize {
  readonly fields: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** Of what is asked once. */
  readonly cost: number;
  /** Of what is asked of every entry of the lists in it, for one entry: the `first` of the field that holds them says how many there are. */
  readonly costPerEntry: number;
  /** Of the same for all entries, where that field has no `first`. */
  readonly costUnpaged: number;
}

type Costs = Pick<SetSize, 'cost' | 'costPerEntry' | 'costUnpaged'>;
type Variables = Readonly<Record<string, unknown>>;

const NOTHING: SetSize = { fields: 0, depth: 0, aliases: 0, directives: 0, cost: 0, costPerEntry: 0, costUnpaged: 0 };
const PAGE_SIZE = 'first';
/** How long a list without `first` is taken to be that does not say how long it may be. */
const DEFAULT_ENTRIES = DEFAULT_PAGE_SIZE;

/** How large an operation of a valid document is, with the variables that it is sent with. */
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
    isFixed: measure.isFixed,
  };
}

class Measure {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Variables;
  /** Each fragment is measured once: they may spread each other so often that following every spread would never end. */
  readonly #measured = new Map<string, SetSize>();

  isFixed = true;

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
    // Spreading a fragment again beside itself asks for nothing more.
    const spread = new Set<string>();
    return selections.reduce((total, selection) => {
      const directives = { ...NOTHING, directives: selection.directives?.length ?? 0 };
      switch (selection.kind) {
        case Kind.FIELD:
          return beside(total, directives, this.#field(typeName, selection));
        case Kind.INLINE_FRAGMENT:
          return beside(
            total,
            directives,
            this.set(selection.typeCondition?.name.value ?? typeName, selection.selectionSet),
          );
        case Kind.FRAGMENT_SPREAD: {
          const isNew = !spread.has(selection.name.value);
          spread.add(selection.name.value);
          return beside(total, directives, isNew ? this.#fragment(selection.name.value) : NOTHING);
        }
      }
    }, NOTHING);
  }

  #fragment(name: string): SetSize {
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    const size = fragment === undefined ? NOTHING : this.set(fragment.typeCondition.name.value, fragment.selectionSet);
    this.#measured.set(name, size);
    return size;
  }

  #field(typeName: string, node: FieldNode): SetSize {
    const field = this.#fieldOf(typeName, node.name.value);
    const within =
      node.selectionSet === undefined
        ? NOTHING
        : this.set(field === undefined ? '' : getNamedType(field.type).name, node.selectionSet);
    return {
      fields: 1,
      depth: isIntrospection(node) ? 0 : within.depth + 1,
      aliases: within.aliases + (node.alias === undefined ? 0 : 1),
      directives: within.directives,
      ...this.#costs(node, field, within),
    };
  }

  #costs(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined, within: SetSize): Costs {
    if (field === undefined) return { cost: 1 + within.cost + within.costUnpaged, costPerEntry: 0, costUnpaged: 0 };
    const { own, maxEntries } = fieldCost(field);
    const entries = this.#pageSize(node, field);
    const whole = within.cost + within.costUnpaged;
    if (isListOfObjects(field)) {
      // A list that takes `first` itself is read by it; one in a connection by that of the connection.
      if (entries !== null) return { cost: entries * (1 + whole), costPerEntry: 0, costUnpaged: 0 };
      return { cost: own, costPerEntry: whole, costUnpaged: (maxEntries ?? DEFAULT_ENTRIES) * whole };
    }
    if (entries === null) return { cost: own + whole, costPerEntry: 0, costUnpaged: 0 };
    const rows = selectsEntries([node.selectionSet], (name) => this.#fragments.get(name)) ? entries : 1;
    return { cost: rows + within.cost + entries * within.costPerEntry, costPerEntry: 0, costUnpaged: 0 };
  }

  /** Null for a field that is no page of a list. A page size that is out of range is refused later, before any list is read. */
  #pageSize(node: FieldNode, field: GraphQLField<unknown, unknown>): number | null {
    const argument = field.args.find(({ name }) => name === PAGE_SIZE);
    if (argument === undefined) return null;
    const given = node.arguments?.find(({ name }) => name.value === PAGE_SIZE)?.value;
    if (given?.kind === Kind.VARIABLE) this.isFixed = false;
    const value = given === undefined ? undefined : valueFromASTUntyped(given, this.#variables);
    const size = value ?? argument.defaultValue;
    return typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  }

  /** Of introspection nothing is known, so that it counts field by field: its lists are as long as the schema is, and how often they nest is bounded. */
  #fieldOf(typeName: string, fieldName: string): GraphQLField<unknown, unknown> | undefined {
    const type = typeName.startsWith('__') ? undefined : this.#schema.getType(typeName);
    return isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  }
}

function beside(...sizes: readonly SetSize[]): SetSize {
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
