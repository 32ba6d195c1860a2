import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { updateProfile } from '../../accounts/index.js';
import type { RequestContext } from '../context/request-context.js';
import { UpdateProfileInput } from './profile-inputs.js';
import { UpdateProfilePayload } from './profile-payloads.js';

@Resolver()
export class ProfileResolver {
  @Mutation(() => UpdateProfilePayload, { description: "Changes one's display name and email address." })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'The changes.' })
    { displayName, email, currentPassword = null }: UpdateProfileInput,
    @Ctx() { accounts, actor, client }: RequestContext,
  ): Promise<UpdateProfilePayload> {
    return { user: await updateProfile(accounts, actor, { displayName, email, currentPassword }, client) };
  }
}
