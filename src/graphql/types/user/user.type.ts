import { ObjectType } from 'type-graphql';
import { NodeType } from '../node/node.type.js';
import { UserFields } from './user-fields.js';

@ObjectType('User', {
  implements: NodeType,
  description: 'A person, as those see them who share a group with them.',
})
export class UserType extends UserFields {}
