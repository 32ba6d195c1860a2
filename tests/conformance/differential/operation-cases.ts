import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  isRequiredArgument,
  type GraphQLArgument,
  type GraphQLInputType,
} from 'graphql';
import { documentOf, OPERATIONS, type OperationName } from '../../contract/operations.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import type { GraphqlCase, Parameters } from './case.js';
import type { Caller, World } from './world.js';

type Variables = Readonly<Record<string, unknown>>;

/** A change of the variables that are valid. */
interface Change {
  readonly title: string;
  readonly argument: string;
  readonly apply: (variables: Variables) => Variables;
}

const schema = buildSchema(readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'));
const WRONG_VALUES = [null, 5, -1.5, true, '', 'nonsense', '\u0000', [], ['nonsense'], {}, { nonsense: 1 }];
/** Mutations that others depend on run in order: a registration takes a name, and these end what others need. */
const ORDERED: readonly OperationName[] = [
  'register',
  'removeMember',
  'leaveGroup',
  'cancelGroup',
  'revokeSession',
  'revokeToken',
];
const NAMES = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => !ORDERED.includes(name));

/** Requests that change nothing that other requests need, for each field of Query and Mutation. */
export const REJECTED: readonly GraphqlCase[] = NAMES.flatMap(rejected);

/** Requests that may succeed, in this order. */
export const ACCEPTED: readonly GraphqlCase[] = [
  ...[...NAMES, ...ORDERED].flatMap(accepted),
  ...ORDERED.flatMap(rejected),
];

function rejected(name: OperationName): readonly GraphqlCase[] {
  return [
    ...(['anonymous', 'malformed', 'expired'] as const).map((caller) => valid(name, caller)),
    ...argumentsOf(name)
      .flatMap(wrongVariables)
      .map((change) => withVariables(name, change)),
    withParameters(name, 'an unknown operation name', ({ query, variables }) => ({
      query,
      variables,
      operationName: 'Unknown',
    })),
    withParameters(name, 'an unknown field', ({ query, variables }) => ({
      query: String(query).replace(/}/, 'nonsense }'),
      variables,
    })),
    withParameters(name, 'a syntax error', ({ query, variables }) => ({
      query: String(query).slice(0, -1),
      variables,
    })),
  ];
}

function accepted(name: OperationName): readonly GraphqlCase[] {
  const more = { title: 'an undeclared variable', argument: '', apply: addVariable };
  return [
    ...(['stranger', 'member', 'owner', 'admin'] as const).map((caller) => valid(name, caller)),
    withVariables(name, more),
  ];
}

function addVariable(variables: Variables): Variables {
  return { ...variables, undeclared: 1 };
}

function isMutation(name: OperationName): boolean {
  return OPERATIONS[name].kind === 'mutation';
}

function argumentsOf(name: OperationName): readonly GraphQLArgument[] {
  const type = isMutation(name) ? schema.getMutationType() : schema.getQueryType();
  return type?.getFields()[name]?.args ?? [];
}

/** Declares the arguments that are required, and one more. */
function parametersOf(name: OperationName, world: World, further = ''): Parameters & { readonly variables: Variables } {
  const declared = argumentsOf(name).filter((each) => isRequiredArgument(each) || each.name === further);
  const types = Object.fromEntries(declared.map((argument) => [argument.name, String(argument.type)]));
  return { query: documentOf(name, types), variables: OPERATIONS[name].variables(world) };
}

function valid(name: OperationName, caller: Caller): GraphqlCase {
  return {
    title: `${name} as ${caller}`,
    caller,
    parameters: (world) => parametersOf(name, world),
    differsByGet: isMutation(name),
  };
}

/** The operation is not found, so that its kind does not matter. */
function withParameters(
  name: OperationName,
  title: string,
  change: (parameters: Parameters) => Parameters,
): GraphqlCase {
  return { title: `${name} with ${title}`, caller: 'owner', parameters: (world) => change(parametersOf(name, world)) };
}

function withVariables(name: OperationName, { title, argument, apply }: Change): GraphqlCase {
  return {
    title: `${name} with ${title}`,
    caller: 'owner',
    parameters: (world) => {
      const { query, variables } = parametersOf(name, world, argument);
      return { query, variables: apply(variables) };
    },
    differsByGet: isMutation(name),
  };
}

/** An argument, and each field of an input object, in each way that is wrong. */
function wrongVariables({ name, type }: GraphQLArgument): Change[] {
  const inputType = getNullableType(type);
  const fields = isInputObjectType(inputType) ? Object.values(inputType.getFields()) : [];
  return [
    ...wrongValues(name, type).map(([title, value]) => ({
      title,
      argument: name,
      apply: (variables: Variables) => ({ ...variables, [name]: value }),
    })),
    ...fields.flatMap((field) =>
      wrongValues(`${name}.${field.name}`, field.type).map(([title, value]) => ({
        title,
        argument: name,
        apply: (variables: Variables) => ({
          ...variables,
          [name]: { ...(variables[name] as object | undefined), [field.name]: value },
        }),
      })),
    ),
  ];
}

function wrongValues(path: string, type: GraphQLInputType): (readonly [title: string, value: unknown])[] {
  return [
    ...WRONG_VALUES.filter((value) => !mayBeRight(path, type, value)).map(
      (value) => [`${path}: ${JSON.stringify(value)}`, value] as const,
    ),
    ...(isNonNullType(type) ? [[`no ${path}`, undefined] as const] : []),
    ...(String(type).startsWith('UUID') ? [[`an unknown ${path}`, UNKNOWN_ID] as const] : []),
  ];
}

/** A value that a mutation could accept, and whose result another lane would then not have. */
function mayBeRight(path: string, type: GraphQLInputType, value: unknown): boolean {
  if (path === 'input.username' && value === 'nonsense') return true;
  if (value === null) return !isNonNullType(type);
  return String(type).startsWith('Boolean') && value === true;
}
