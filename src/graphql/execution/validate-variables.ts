import {
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { InvalidInputError, isRecord, type FieldError } from '../../errors/index.js';

/** The allowed values of each scalar. Messages never repeat the value. */
const SCALAR_SENTENCES: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  DateTime: 'must be a time in RFC 3339, as in 2030-01-31T18:00:00Z',
  EmailAddress: 'must be an email address',
  Float: 'must be a finite number',
  Int: 'must be a whole number between -2147483648 and 2147483647',
  String: 'must be text',
  UUID: 'must be a UUID',
};

/** Bounds the response to a long list of invalid values. */
const MAX_FIELD_ERRORS = 50;

type Path = readonly (string | number)[];

/**
 * Validates the variables of an operation, after an executor has rejected them.
 *
 * Paths omit the variable name `input`, the argument of nearly every mutation. A field then has the same name here, in
 * errors of the domain and in REST.
 *
 * @returns one error with up to 50 field errors; null when all variables are valid
 */
export function validateVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): InvalidInputError | null {
  const fields: FieldError[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type) || (variables[name] === undefined && defaultValue !== undefined)) continue;
    fields.push(...problems(type, variables[name], name === 'input' ? [] : [name]));
  }
  return fields.length === 0 ? null : new InvalidInputError(fields.slice(0, MAX_FIELD_ERRORS));
}

function problems(type: GraphQLInputType, value: unknown, path: Path): FieldError[] {
  if (isNonNullType(type)) return isAbsent(value) ? [problem(path, 'is required')] : problems(type.ofType, value, path);
  if (isAbsent(value)) return [];
  if (isListType(type)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item, index) => problems(type.ofType, item, [...path, index]));
  }
  return isInputObjectType(type) ? objectProblems(type, value, path) : leafProblems(type, value, path);
}

function objectProblems(type: GraphQLInputObjectType, value: unknown, path: Path): FieldError[] {
  if (!isRecord(value)) return [problem(path, 'must be an object')];
  const fields = type.getFields();
  const known = Object.values(fields).flatMap((field) =>
    value[field.name] === undefined && !isRequiredInputField(field)
      ? []
      : problems(field.type, value[field.name], [...path, field.name]),
  );
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  return [...known, ...unknown.map((name) => problem([...path, name], 'is not a field of this request'))];
}

function leafProblems(type: GraphQLLeafType, value: unknown, path: Path): FieldError[] {
  try {
    type.parseValue(value);
    return [];
  } catch {
    return [problem(path, leafSentence(type))];
  }
}

function leafSentence(type: GraphQLLeafType): string {
  if (isEnumType(type))
    return `must be one of ${type
      .getValues()
      .map(({ name }) => name)
      .join(', ')}`;
  return SCALAR_SENTENCES[type.name] ?? `must be a ${type.name}`;
}

function problem(path: Path, message: string): FieldError {
  return { field: path.length === 0 ? 'input' : path.join('.'), message };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
