import { ObjectType } from 'type-graphql';
import { AccountFields } from '../user/user-fields.js';

@ObjectType('Viewer', { description: 'The signed-in person, as they see themselves.' })
export class ViewerType extends AccountFields {}
