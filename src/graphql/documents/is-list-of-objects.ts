import { getNamedType, getNullableType, isCompositeType, isListType, type GraphQLField } from 'graphql';

/** Whether a field is a list whose entries have fields of their own. */
export function isListOfObjects({ type }: Pick<GraphQLField<unknown, unknown>, 'type'>): boolean {
  return isCompositeType(getNamedType(type)) && isListType(getNullableType(type));
}
