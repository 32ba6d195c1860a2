import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../leaf-types/scalars.js';

@ObjectType('Session', { description: 'One login of a person, for as long as it is refreshed.' })
export class SessionType {
  @Field(() => ID, { description: 'Identifies the session; the `sid` claim of its access tokens.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether it is the session that asks.' })
  current!: boolean;

  @Field(() => DateTime, { description: 'When the person logged in.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last logged in or refreshed.' })
  lastUsedAt!: Date;

  @Field(() => DateTime, {
    description: 'When it ends unless it is refreshed before; at most 90 days after the login.',
  })
  expiresAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'What the client calls itself, cut to 300 characters; null when it does not. Made up by the client.',
  })
  userAgent!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The IP address that last logged in or refreshed; null when it is not known.',
  })
  address!: string | null;
}
