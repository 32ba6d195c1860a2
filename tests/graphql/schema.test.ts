import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  findBreakingChanges,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  parse,
  print,
  validate,
  type DocumentNode,
  type GraphQLNamedType,
  type OperationDefinitionNode,
} from 'graphql';
import { buildGraphqlSchema, printedSchema } from '../../src/graphql/schema.js';
import { ROUTES } from '../../src/rest/index.js';

const FOLDER = new URL('../../schema/', import.meta.url);
/** Their own description tells nothing that their names do not. */
const ROOTS = ['Query', 'Mutation', 'Subscription'];

const schema = buildGraphqlSchema();
const committed = readFileSync(new URL('schema.graphql', FOLDER), 'utf8');

describe('the schema', () => {
  it('is the committed one: run "npm run generate" after a change', () => {
    expect(printedSchema(schema)).toBe(committed);
  });

  it('can be built from what is committed', () => {
    expect(findBreakingChanges(buildSchema(committed), schema)).toEqual([]);
  });

  it('describes every type, field, argument, input field and enum value in a sentence', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    );
    const described = types.flatMap(descriptionsOf);
    const silent = described.filter(([, text]) => !/^[A-Z0-9`].*\.$/s.test(text ?? ''));
    expect(silent.map(([name]) => name)).toEqual([]);
    expect(described.length).toBeGreaterThan(200);
  });

  it('has inputs that cannot contain themselves, which could not be compiled', () => {
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

describe('the operations of REST', () => {
  const documents = readdirSync(new URL('operations/', FOLDER)).map((file) =>
    parse(readFileSync(new URL(`operations/${file}`, FOLDER), 'utf8')),
  );
  const operations = documents.flatMap(({ definitions }) =>
    definitions.filter((each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION),
  );

  it('fit the schema', () => {
    for (const document of documents) expect(validate(schema, document)).toEqual([]);
  });

  it('are each run by a path, and are all that the paths run', () => {
    const run = ROUTES.flatMap(({ operation, variant }) => [
      operation,
      ...(variant === null ? [] : [variant.operation.operation]),
    ]);
    expect(run.flatMap(textsOf).toSorted()).toEqual(operations.map(print).toSorted());
  });

  it('have one name each', () => {
    expect(new Set(operations.map(({ name }) => name?.value)).size).toBe(operations.length);
  });
});

type Description = readonly [place: string, text: string | null | undefined];

/** The type's own and those of everything in it. */
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
  if (!isObjectType(type)) return own;
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
