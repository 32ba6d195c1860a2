import { Field, ObjectType } from 'type-graphql';
import type { AccountRole } from '../../accounts/index.js';
import { AccountRoleEnum } from '../accounts/enums.js';
import { connectionOf } from '../connection.js';
import { DateTime, EmailAddress, UUID } from '../scalars.js';

@ObjectType('Account', { description: 'A person, as administrators see them.' })
export class AccountType {
  @Field(() => UUID, { description: 'Identifies the person everywhere.' })
  id!: string;

  @Field(() => String, { description: 'The name they registered with, as they typed it.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'The name they want to be shown by; null when they gave none.' })
  displayName!: string | null;

  @Field(() => EmailAddress, { nullable: true, description: 'Their email address; null when they gave none.' })
  email!: string | null;

  @Field(() => Boolean, { description: 'Whether they have shown that the email address is theirs.' })
  emailVerified!: boolean;

  @Field(() => [AccountRoleEnum], { description: 'What they may do beyond their own affairs.' })
  roles!: AccountRole[];

  @Field(() => Boolean, { description: 'Whether they are kept out.' })
  disabled!: boolean;

  @Field(() => DateTime, { description: 'When they registered.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When they last logged in with their password; null when they never did.' })
  lastLoginAt!: Date | null;
}

export const AccountConnection = connectionOf(AccountType, 'Account', 'the accounts, newest first');
