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
import { isRecord } from '../../errors/index.js';

type Values = Readonly<Record<string, unknown>>;
/** Returns a value with the defaults of its absent fields. */
type Fill = (value: unknown) => unknown;

/**
 * Compiles a function that adds the defaults of the document and of input fields to the variables of an operation. The
 * defaults have the form in which clients send values.
 *
 * Reason: graphql-jit (0.8.7) rejects an absent value of a non-null type, even where the type has a default.
 *
 * @returns null when the operation has no defaults
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
  /** Undefined without a default. */
  readonly defaultValue: unknown;
  readonly fill: Fill | null;
}

function entryOf(name: string, type: GraphQLInputType, defaultValue: unknown): Entry[] {
  const fill = fillOf(type);
  return defaultValue === undefined && fill === null ? [] : [{ name, defaultValue, fill }];
}

function filled(values: Values, entries: readonly Entry[]): Values {
  const complete: Record<string, unknown> = { ...values };
  for (const { name, defaultValue, fill } of entries) {
    const value = values[name] === undefined ? defaultValue : values[name];
    if (value !== undefined) complete[name] = fill === null ? value : fill(value);
  }
  return complete;
}

/** Terminates, because no input type contains itself. */
function fillOf(type: GraphQLInputType): Fill | null {
  if (isNonNullType(type)) return fillOf(type.ofType);
  if (isListType(type)) {
    const fill = fillOf(type.ofType);
    return fill && ((value) => (Array.isArray(value) ? value.map(fill) : fill(value)));
  }
  if (!isInputObjectType(type)) return null;
  const entries = Object.values(type.getFields()).flatMap((field) =>
    entryOf(field.name, field.type, toSentValue(field.defaultValue, field.type)),
  );
  return entries.length === 0 ? null : (value) => (isRecord(value) ? filled(value, entries) : value);
}

function toSentValue(value: unknown, type: GraphQLInputType): unknown {
  const ast = value === undefined ? null : astFromValue(value, type);
  return ast ? valueFromASTUntyped(ast) : undefined;
}
