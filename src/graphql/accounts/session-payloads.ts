import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('RevokeTokenPayload', { description: 'What came of logging out.' })
export class RevokeTokenPayload {
  @Field(() => Int, { description: 'How many sessions ended; 0 when the token is not known or its session had ended.' })
  revokedSessions!: number;
}

@ObjectType('RevokeSessionPayload', { description: 'What came of ending a session.' })
export class RevokeSessionPayload {
  @Field(() => Int, { description: 'How many sessions ended: 1.' })
  revokedSessions!: number;
}
