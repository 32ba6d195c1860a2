import { Field, InputType } from 'type-graphql';
import { EmailAddress } from '../leaf-types/scalars.js';

@InputType('UpdateProfileInput', {
  description: 'What is to be different: an absent field stays as it is, null clears it.',
})
export class UpdateProfileInput {
  @Field(() => String, {
    nullable: true,
    description: 'The name to be shown by, 1 to 80 characters and at most 400 code points; null for none.',
  })
  displayName?: string | null;

  @Field(() => EmailAddress, {
    nullable: true,
    description:
      'At most 254 characters. A link is mailed to it, and the old address stays until it is followed; null for no address.',
  })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "One's password; needed when the email address is to change, and null otherwise.",
  })
  currentPassword?: string | null;
}
