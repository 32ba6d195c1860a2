import { ObjectType } from 'type-graphql';
import { PLAIN_FIELDS } from '../../policies/plain-fields.js';
import { AccountFields } from '../user/user-fields.js';

@ObjectType('Viewer', { description: 'The signed-in person, as they see themselves.', ...PLAIN_FIELDS })
export class ViewerType extends AccountFields {}
