import { Field, ID, ObjectType } from 'type-graphql';
import type { AccountRole } from '../../../accounts/index.js';
import { AccountRoleEnum } from '../../leaf-types/account-enums.js';
import { DateTime, EmailAddress } from '../../leaf-types/scalars.js';

/** Fields of a user that each caller with access to the user may read. */
@ObjectType()
export abstract class UserFields {
  @Field(() => ID, { description: 'Identifies the person everywhere.' })
  id!: string;

  @Field(() => String, { description: 'The name they registered with, as they typed it.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'The name they want to be shown by; null when they gave none.' })
  displayName!: string | null;

  @Field(() => DateTime, { description: 'When they registered.' })
  createdAt!: Date;
}

/** Fields that only the user and administrators may read. */
@ObjectType()
export abstract class AccountFields extends UserFields {
  @Field(() => EmailAddress, { nullable: true, description: 'Their email address; null when they gave none.' })
  email!: string | null;

  @Field(() => Boolean, { description: 'Whether they have shown that the email address is theirs.' })
  emailVerified!: boolean;

  @Field(() => [AccountRoleEnum], { description: 'What they may do beyond their own affairs.' })
  roles!: AccountRole[];
}
