import { isObjectType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';

type ObjectField = ReturnType<GraphQLObjectType['getFields']>[string];

/** Returns the fields of all object types of the service, without those of introspection. */
export function objectFields(schema: GraphQLSchema): ObjectField[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.values(type.getFields()));
}
