import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { UserView } from '../../../../accounts/index.js';
import { getUser } from '../../../../person-lifecycle/index.js';
import type { RequestContext } from '../../../context/request-context.js';
import { UUID } from '../../../leaf-types/scalars.js';
import { UserType } from '../user.type.js';

@Resolver()
export class UserResolver {
  @Query(() => UserType, {
    description: 'A person who shares a group with the caller; for administrators, any person.',
  })
  user(
    @Arg('id', () => UUID, { description: 'Which person.' }) id: string,
    @Ctx() { groups, actor }: RequestContext,
  ): Promise<UserView> {
    return getUser(groups, actor, id);
  }
}
