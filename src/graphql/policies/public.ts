import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';

/** Marks a root field that needs no access token. All other root fields require an authenticated caller. */
export function Public(): ReturnType<typeof Extensions> {
  return Extensions({ public: true });
}

export function isPublic({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean {
  return extensions.public === true;
}
