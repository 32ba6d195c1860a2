import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { FollowUpView, ViewerView } from '../../accounts/index.js';
import { atMost } from '../policies/cost.js';
import { FollowUpType, MAX_FOLLOW_UPS } from './follow-up.type.js';
import { ViewerType } from './viewer.type.js';

@ObjectType('RegisterPayload', { description: 'The account that was created.' })
export class RegisterPayload {
  @Field(() => ViewerType, { description: 'The new account.' })
  user!: ViewerView;

  @Extensions(atMost(MAX_FOLLOW_UPS))
  @Field(() => [FollowUpType], { description: 'The tasks that were queued with it.' })
  followUps!: readonly FollowUpView[];
}

@ObjectType('TokenPayload', { description: 'An access token, what to renew it with, and whom they stand for.' })
export class TokenPayload {
  @Field(() => String, { description: 'The access token: a JWT, to be sent as `Authorization: Bearer <token>`.' })
  accessToken!: string;

  @Field(() => String, { description: 'How the token is presented; always `bearer`.' })
  tokenType!: string;

  @Field(() => Int, { description: 'For how many seconds the access token is valid.' })
  expiresIn!: number;

  @Field(() => String, {
    description: 'The refresh token: exchanges for the next pair of tokens, once; to be kept as secret as a password.',
  })
  refreshToken!: string;

  @Field(() => ViewerType, { description: 'The person it was issued to.' })
  user!: ViewerView;
}

@ObjectType('RequestEmailVerificationPayload', { description: 'What came of asking for a verification link.' })
export class RequestEmailVerificationPayload {
  @Field(() => Boolean, {
    description: 'Whether a mail is on its way: false without an address, or when it is verified already.',
  })
  sent!: boolean;
}

@ObjectType('VerifyEmailPayload', { description: 'The account whose address was proven.' })
export class VerifyEmailPayload {
  @Field(() => ViewerType, { description: 'The account, with its address verified.' })
  user!: ViewerView;
}
