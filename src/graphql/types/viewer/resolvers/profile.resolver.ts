import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { updateProfile, type ViewerView } from '../../../../accounts/index.js';
import { type UpdateProfileResult } from '../../../../accounts/profile/update-profile.js';
import type { RequestContext } from '../../../context/request-context.js';
import { EmailAddress } from '../../../leaf-types/scalars.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { ViewerType } from '../viewer.type.js';

@InputType('UpdateProfileInput', {
  description: 'What is to be different: an absent field stays as it is, null clears it.',
})
class UpdateProfileInput {
  @Field(() => String, {
    nullable: true,
    description: 'The name to be shown by, 1 to 80 characters and at most 400 code points; null for none.',
  })
  displayName?: string | null;

  @Field(() => EmailAddress, {
    nullable: true,
    description:
      'At most 254 characters. A link is mailed to it, and the old address stays until it is followed; null for no ' +
      'address.',
  })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "One's password; needed when the email address is to change, and null otherwise.",
  })
  currentPassword?: string | null;
}

@ObjectType('UpdateProfilePayload', { description: "What came of changing one's profile." })
class UpdateProfilePayload {
  @Field(() => ViewerType, {
    description: 'The profile as it is now; with the old email address while a new one is not proven.',
  })
  user!: ViewerView;
}

@Resolver()
export class ProfileResolver {
  @AuditedAs(profileEvent)
  @LimitedPerCaller()
  @Mutation(() => UpdateProfilePayload, { description: "Changes one's display name and email address." })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'The changes.' })
    { displayName, email, currentPassword = null }: UpdateProfileInput,
    @Ctx() { accounts, actor, client }: RequestContext,
  ): Promise<{ user: UpdateProfileResult }> {
    return { user: await updateProfile(accounts, actor, { displayName, email, currentPassword }, client) };
  }
}

function profileEvent({ user }: { readonly user: UpdateProfileResult }): string {
  return user.isChangingEmail ? 'email-change' : 'profile-change';
}
