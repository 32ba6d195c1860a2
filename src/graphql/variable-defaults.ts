import {
  astFromValue,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromASTUntyped,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { isRecord } from '../errors/index.js';

type Values = Readonly<Record<string, unknown>>;
/** Gives a value with the defaults of what it leaves out. */
type Fill = (value: unknown) => unknown;

/**
 * Makes what completes the variables of an operation with the defaults of the document and of input fields, in the form in
 * which clients send values.
 *
 * graphql-jit (0.8.7) takes what is left out for missing wherever the type is non-null, default or not.
 *
 * @returns null when there is nothing to fill in
 */
export function compileVariableDefaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): ((variables: Values) => Values) | null {
  const fills = (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    return isInputType(type)
      ? entryOf(variable.name.value, type, defaultValue && valueFromASTUntyped(defaultValue))
      : [];
  });
  return fills.length === 0 ? null : (variables) => filled(variables, fills);
}

interface Entry {
  readonly name: string;
  /** Undefined for none. */
  readonly byDefault: unknown;
  readonly fill: Fill | null;
}

function entryOf(name: string, type: GraphQLInputType, byDefault: unknown): Entry[] {
  const fill = fillOf(type);
  return byDefault === undefined && fill === null ? [] : [{ name, byDefault, fill }];
}

function filled(values: Values, entries: readonly Entry[]): Values {
  const complete: Record<string, unknown> = { ...values };
  for (const { name, byDefault, fill } of entries) {
    const value = values[name] === undefined ? byDefault : values[name];
    if (value !== undefined) complete[name] = fill === null ? value : fill(value);
  }
  return complete;
}

/** No input type holds itself, so this comes to an end. */
function fillOf(type: GraphQLInputType): Fill | null {
  if (isNonNullType(type)) return fillOf(type.ofType);
  if (isListType(type)) {
    const fill = fillOf(type.ofType);
    return fill && ((value) => (Array.isArray(value) ? value.map(fill) : fill(value)));
  }
  if (!isInputObjectType(type)) return null;
  const entries = Object.values(type.getFields()).flatMap((field) =>
    entryOf(field.name, field.type, sentDefault(field.defaultValue, field.type)),
  );
  return entries.length === 0 ? null : (value) => (isRecord(value) ? filled(value, entries) : value);
}

function sentDefault(value: unknown, type: GraphQLInputType): unknown {
  const ast = value === undefined ? null : astFromValue(value, type);
  return ast ? valueFromASTUntyped(ast) : undefined;
}
