import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  OperationTypeNode,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { buildGraphqlSchema } from '../../../src/graphql/schema.js';

export type Values = Readonly<Record<string, unknown>>;

/** One field of Query, Mutation or Subscription. */
export interface RootField {
  readonly kind: OperationTypeNode;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Every operation of the schema, so that none is missing. */
export function rootFields(): RootField[] {
  const schema = buildGraphqlSchema();
  return Object.values(OperationTypeNode).flatMap((kind) =>
    Object.values(schema.getRootType(kind)?.getFields() ?? {}).map((field) => ({ kind, field })),
  );
}

/** A document that takes its values as variables, under the names of the arguments. */
export function documentWithVariables({ kind, field }: RootField, values: Values, selection: string): string {
  const passed = field.args.filter(({ name }) => name in values);
  if (passed.length === 0) return `${kind} { ${field.name} ${selection} }`;
  const declared = passed.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = passed.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${declared}) { ${field.name}(${given}) ${selection} }`;
}

/** A document that contains its values as literals. */
export function documentWithLiterals({ kind, field }: RootField, values: Values, selection: string): string {
  const passed = field.args
    .filter(({ name }) => name in values)
    .map(({ name, type }) => `${name}: ${literalOf(values[name], type)}`);
  return `${kind} { ${field.name}${passed.length === 0 ? '' : `(${passed.join(', ')})`} ${selection} }`;
}

/** The literal of any value, also one that does not fit the type. */
function literalOf(value: unknown, type: GraphQLInputType | null): string {
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, type)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, part]) => `${name}: ${literalOf(part, fieldType(type, name))}`)
      .join(', ')} }`;
  const named = type === null ? null : getNamedType(type);
  const isEnumValue = isEnumType(named) && typeof value === 'string' && named.getValue(value) !== undefined;
  return isEnumValue ? value : JSON.stringify(value);
}

function fieldType(type: GraphQLInputType | null, name: string): GraphQLInputType | null {
  const named = type === null ? null : getNamedType(type);
  return isInputObjectType(named) ? (named.getFields()[name]?.type ?? null) : null;
}

/** The position of a value: the argument, then fields of input objects and places in lists. */
export type Path = readonly (string | number)[];

/** Every position in the arguments of an operation that takes a single value. */
export function positionsOf({ field }: RootField): Path[] {
  return field.args.flatMap(({ name, type }) => placesIn(type, [name]));
}

function placesIn(type: GraphQLInputType, path: Path): Path[] {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return placesIn(nullable.ofType, [...path, 0]);
  if (isInputObjectType(nullable))
    return Object.values(nullable.getFields()).flatMap((field) => placesIn(field.type, [...path, field.name]));
  return [path];
}

/** The same values with another value in one position. */
export function withValue(values: Values, path: Path, value: unknown): Values {
  return replaced(values, path, value) as Values;
}

function replaced(values: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') return [replaced(Array.isArray(values) ? values[step] : undefined, rest, value)];
  const object = typeof values === 'object' && values !== null ? (values as Values) : {};
  return { ...object, [step]: replaced(object[step], rest, value) };
}
