import { GraphQLScalarType } from 'graphql';
import { getMetadataStorage, type ResolverData } from 'type-graphql';

type Parameter = ReturnType<typeof getMetadataStorage>['params'][number];
type Argument = Extract<Parameter, { readonly kind: 'arg' }>;

/**
 * Passes arguments of scalar types to the resolvers as the executor has parsed them.
 *
 * Reason: type-graphql validates each argument asynchronously, also when validation is disabled, so that each call of a
 * resolver waits for several promises.
 *
 * To be called after the schema is built, because the types of its arguments are read from the same declarations.
 */
export function readArgumentsDirectly(): void {
  const { queries, mutations, fieldResolvers } = getMetadataStorage();
  for (const resolver of [...queries, ...mutations, ...fieldResolvers]) {
    const parameters = resolver.params ?? [];
    resolver.params = parameters.map((each) => (isScalarArgument(each) ? readDirectly(each) : each));
  }
}

function isScalarArgument(parameter: Parameter): parameter is Argument {
  return parameter.kind === 'arg' && parameter.getType() instanceof GraphQLScalarType;
}

function readDirectly({ target, methodName, index, name }: Argument): Parameter {
  const resolver = ({ args }: ResolverData): unknown => args[name];
  return { kind: 'custom', target, methodName, index, resolver, options: {} };
}
