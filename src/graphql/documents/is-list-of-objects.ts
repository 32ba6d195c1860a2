import { getNamedType, getNullableType, isCompositeType, isListType, type GraphQLField } from 'graphql';

/** Whether a field is a list of objects, as opposed to a list of scalars or enum values. */
export function isListOfObjects({ type }: Pick<GraphQLField<unknown, unknown>, 'type'>): boolean {
  return isCompositeType(getNamedType(type)) && isListType(getNullableType(type));
}
