import { DateTime, UUID } from '../scalars.js';
import { Field, ObjectType } from 'type-graphql';

@ObjectType('User', { description: 'A person, as those see them who share a group with them.' })
export class UserType {
  @Field(() => UUID, { description: 'Identifies the person everywhere.' })
  id!: string;

  @Field(() => String, { description: 'The name they registered with, as they typed it.' })
  username!: string;

  @Field(() => String, { nullable: true, description: 'The name they want to be shown by; null when they gave none.' })
  displayName!: string | null;

  @Field(() => DateTime, { description: 'When they registered.' })
  createdAt!: Date;
}
