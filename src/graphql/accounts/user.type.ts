import { ObjectType } from 'type-graphql';
import { PersonFields } from './person-fields.js';

@ObjectType('User', { description: 'A person, as those see them who share a group with them.' })
export class UserType extends PersonFields {}
