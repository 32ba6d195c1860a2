import { requireAuthenticated } from '../../accounts/index.js';
import { FieldErrorCollector, ForbiddenError, isRecord } from '../../errors/index.js';
import type { RequestContext } from '../context/request-context.js';
import { findGroup, findUser } from '../types/node/resolvers/find-node.js';

export const MAX_REPRESENTATIONS = 100;

const FINDERS = { Group: findGroup, User: findUser } as const;

type EntityName = keyof typeof FINDERS;

interface EntityReference {
  readonly typeName: EntityName;
  readonly id: string;
}

/**
 * Finds the entities that a gateway refers to, in the same order, under the access rules of `group` and `user`. The
 * number of statements is the same for any number of references.
 *
 * @returns null in the place of each entity that does not exist or is hidden from the caller
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API key without the scope `federation`
 * @throws InvalidInputError naming each malformed reference, or for too many
 */
export async function findEntities(
  context: RequestContext,
  representations: readonly unknown[],
): Promise<(object | null)[]> {
  const actor = requireAuthenticated(context.actor);
  if (actor.kind === 'service' && !actor.scopes.includes('federation')) throw new ForbiddenError('SCOPE_REQUIRED');
  return Promise.all(toReferences(representations).map(({ typeName, id }) => FINDERS[typeName](context, id)));
}

function toReferences(representations: readonly unknown[]): EntityReference[] {
  const errors = new FieldErrorCollector();
  if (representations.length > MAX_REPRESENTATIONS)
    errors.check('representations', `must be at most ${String(MAX_REPRESENTATIONS)} references`).throwIfAny();
  const references = representations.map((representation, index) => {
    const reference = toReference(representation);
    errors.check(`representations.${String(index)}`, reference === null ? PROBLEM : null);
    return reference;
  });
  errors.throwIfAny();
  return references.filter((reference) => reference !== null);
}

const PROBLEM = `must have the __typename ${Object.keys(FINDERS).join(' or ')}, and an id`;

function toReference(representation: unknown): EntityReference | null {
  if (!isRecord(representation)) return null;
  const { __typename: typeName, id } = representation;
  return isEntityName(typeName) && typeof id === 'string' ? { typeName, id } : null;
}

function isEntityName(name: unknown): name is EntityName {
  return typeof name === 'string' && Object.hasOwn(FINDERS, name);
}
