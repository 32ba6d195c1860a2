import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('ChangePasswordPayload', { description: 'What came of changing the password.' })
export class ChangePasswordPayload {
  @Field(() => Int, { description: 'How many other sessions ended with it.' })
  revokedSessions!: number;
}

@ObjectType('RequestPasswordResetPayload', { description: 'What is told of a request for a reset link.' })
export class RequestPasswordResetPayload {
  @Field(() => Boolean, { description: 'Always true: whether there is such an account is told by mail only.' })
  accepted!: boolean;
}

@ObjectType('ResetPasswordPayload', { description: 'What came of resetting the password.' })
export class ResetPasswordPayload {
  @Field(() => Int, { description: 'How many sessions ended with it: all that there were.' })
  revokedSessions!: number;
}
