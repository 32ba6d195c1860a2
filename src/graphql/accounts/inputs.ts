import { Field, InputType } from 'type-graphql';
import { EmailAddress } from '../leaf-types/scalars.js';

@InputType('RegisterInput', { description: 'What it takes to create an account.' })
export class RegisterInput {
  @Field(() => String, {
    description:
      '3 to 32 letters, digits, dots, underscores and hyphens, beginning and ending with a letter or digit; unique whatever its case.',
  })
  username!: string;

  @Field(() => String, {
    description: '8 to 128 characters; refused when it is common, or equals the username or the email address.',
  })
  password!: string;

  @Field(() => EmailAddress, {
    nullable: true,
    description: 'At most 254 characters; a verification link is mailed to it.',
  })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name to be shown by, 1 to 80 characters and at most 400 code points; null for none.',
  })
  displayName?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret of an invitation to claim with the new account: what follows `#secret=` in its link; null for none.',
  })
  invitation?: string | null;
}

@InputType('IssueTokenInput', { description: 'What a person logs in with.' })
export class IssueTokenInput {
  @Field(() => String, { description: 'The username in any case, or the verified email address.' })
  username!: string;

  @Field(() => String, { description: 'The password.' })
  password!: string;
}

@InputType('VerifyEmailInput', { description: 'What proves an email address.' })
export class VerifyEmailInput {
  @Field(() => String, { description: 'The secret from the mailed link: what follows `#secret=`.' })
  secret!: string;
}
