import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../leaf-types/scalars.js';

@ObjectType('ApiKey', { description: 'The key of a program, without its secret.' })
export class ApiKeyType {
  @Field(() => ID, { description: 'Identifies the key.' })
  id!: string;

  @Field(() => String, { description: 'What it is for; the history of groups shows it.' })
  name!: string;

  @Field(() => String, { description: 'The first characters of its secret, to recognise it by.' })
  prefix!: string;

  @Field(() => [ID], { nullable: true, description: 'The groups that it is limited to; null for every group.' })
  groupIds!: string[] | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ends; null when it does not.' })
  expiresAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was last used, to within a minute; null when it never was.',
  })
  lastUsedAt!: Date | null;
}
