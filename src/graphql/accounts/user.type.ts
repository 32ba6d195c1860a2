import { ObjectType } from 'type-graphql';
import { UserFields } from './user-fields.js';
import { PLAIN_FIELDS } from '../plain-fields.js';

@ObjectType('User', { description: 'A person, as those see them who share a group with them.', ...PLAIN_FIELDS })
export class UserType extends UserFields {}
