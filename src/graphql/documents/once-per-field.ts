import type { GraphQLResolveInfo } from 'graphql';

type FieldInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/** Remembers what a function finds out about the document at a field. A compiled operation passes the same nodes. */
export function oncePerField<T>(find: (info: FieldInfo) => T): (info: FieldInfo) => T {
  const known = new WeakMap<FieldInfo['fieldNodes'], { readonly value: T }>();
  return (info) => {
    let found = known.get(info.fieldNodes);
    if (found === undefined) {
      found = { value: find(info) };
      known.set(info.fieldNodes, found);
    }
    return found.value;
  };
}
