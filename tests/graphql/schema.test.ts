import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  findBreakingChanges,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  parse,
  print,
  validate,
  validateSchema,
  type DocumentNode,
  type GraphQLNamedType,
  type OperationDefinitionNode,
} from 'graphql';
import { buildGraphqlSchema, printedSchema } from '../../src/graphql/schema.js';
import { ROUTES } from '../../src/rest/index.js';

const FOLDER = new URL('../../schema/', import.meta.url);
/** Root types need no description. */
const ROOTS = ['Query', 'Mutation', 'Subscription'];

const schema = buildGraphqlSchema();
const committed = readFileSync(new URL('schema.graphql', FOLDER), 'utf8');

describe('the schema', () => {
  it('is valid', () => {
    expect(validateSchema(schema)).toEqual([]);
  });

  it('equals schema/schema.graphql, which "npm run generate" writes', () => {
    expect(printedSchema(schema)).toBe(committed);
  });

  it('has no breaking change to schema/schema.graphql', () => {
    expect(findBreakingChanges(buildSchema(committed), schema)).toEqual([]);
  });

  it('describes each type, field, argument, input field and enum value in a sentence', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    );
    const described = types.flatMap(descriptionsOf);
    const silent = described.filter(([, text]) => !/^[A-Z0-9`].*\.$/s.test(text ?? ''));
    expect(silent.map(([name]) => name)).toEqual([]);
    expect(described.length).toBeGreaterThan(200);
  });

  it('has no recursive input type, which graphql-jit could not compile', () => {
    const contains = (name: string, above: readonly string[]): boolean => {
      const type = schema.getType(name);
      if (!isInputObjectType(type)) return false;
      return (
        above.includes(name) ||
        Object.values(type.getFields()).some((field) =>
          contains(String(field.type).replaceAll(/[[\]!]/g, ''), [...above, name]),
        )
      );
    };
    expect(Object.keys(schema.getTypeMap()).filter((name) => contains(name, []))).toEqual([]);
  });
});

describe('operations of REST', () => {
  const documents = readdirSync(new URL('operations/', FOLDER)).map((file) =>
    parse(readFileSync(new URL(`operations/${file}`, FOLDER), 'utf8')),
  );
  const operations = documents.flatMap(({ definitions }) =>
    definitions.filter((each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION),
  );

  it('are valid for the schema', () => {
    for (const document of documents) expect(validate(schema, document)).toEqual([]);
  });

  it('are exactly those that the REST routes run', () => {
    const run = ROUTES.flatMap(({ operation, variant }) => [
      operation,
      ...(variant === null ? [] : [variant.operation.operation]),
    ]);
    expect(run.flatMap(textsOf).toSorted()).toEqual(operations.map(print).toSorted());
  });

  it('have unique names', () => {
    expect(new Set(operations.map(({ name }) => name?.value)).size).toBe(operations.length);
  });
});

type Description = readonly [place: string, text: string | null | undefined];

/** The descriptions of a type and of its members. */
function descriptionsOf(type: GraphQLNamedType): Description[] {
  const own: Description[] = ROOTS.includes(type.name) ? [] : [[type.name, type.description]];
  if (isEnumType(type))
    return [
      ...own,
      ...type.getValues().map(({ name, description }): Description => [`${type.name}.${name}`, description]),
    ];
  if (isInputObjectType(type))
    return [
      ...own,
      ...Object.values(type.getFields()).map(({ name, description }): Description => [
        `${type.name}.${name}`,
        description,
      ]),
    ];
  if (!isObjectType(type) && !isInterfaceType(type)) return own;
  return [
    ...own,
    ...Object.values(type.getFields()).flatMap(({ name, description, args }): Description[] => [
      [`${type.name}.${name}`, description],
      ...args.map((argument): Description => [`${type.name}.${name}(${argument.name})`, argument.description]),
    ]),
  ];
}

function textsOf({ definitions }: DocumentNode): string[] {
  return definitions.map(print);
}
