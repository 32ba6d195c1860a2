import { Field, ObjectType } from 'type-graphql';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { DateTime } from '../../leaf-types/scalars.js';
import { AccountFields } from '../user/user-fields.js';

@ObjectType('Account', { description: 'A person, as administrators see them.' })
export class AccountType extends AccountFields {
  @Field(() => Boolean, { description: 'Whether they are kept out.' })
  disabled!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When they last logged in with their password; null when they never did.',
  })
  lastLoginAt!: Date | null;
}

export const AccountConnection = createConnectionType(AccountType, 'Account', 'the accounts, newest first');
