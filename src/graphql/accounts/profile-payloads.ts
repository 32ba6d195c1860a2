import { Field, ObjectType } from 'type-graphql';
import type { ViewerView } from '../../accounts/index.js';
import { ViewerType } from './viewer.type.js';

@ObjectType('UpdateProfilePayload', { description: "What came of changing one's profile." })
export class UpdateProfilePayload {
  @Field(() => ViewerType, {
    description: 'The profile as it is now; with the old email address while a new one is not proven.',
  })
  user!: ViewerView;
}
