import { Field, InputType } from 'type-graphql';
import { EmailAddress } from '../leaf-types/scalars.js';

@InputType('ChangePasswordInput', { description: 'A new password, and the one that it replaces.' })
export class ChangePasswordInput {
  @Field(() => String, { description: 'The password so far.' })
  currentPassword!: string;

  @Field(() => String, {
    description: '8 to 128 characters; refused when it is common, or equals the username or the email address.',
  })
  newPassword!: string;
}

@InputType('RequestPasswordResetInput', { description: 'Where the link is to be sent.' })
export class RequestPasswordResetInput {
  @Field(() => EmailAddress, { description: 'The verified email address of the account.' })
  email!: string;
}

@InputType('ResetPasswordInput', { description: 'A new password, and what proves that it may be set.' })
export class ResetPasswordInput {
  @Field(() => String, { description: 'The secret from the mailed link: what follows `#secret=`.' })
  secret!: string;

  @Field(() => String, {
    description: '8 to 128 characters; refused when it is common, or equals the username or the email address.',
  })
  newPassword!: string;
}
