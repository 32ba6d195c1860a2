import { Field, Float, InputType, Int } from 'type-graphql';
import type { ResponseStatus } from '../../groups/index.js';
import { DateTime, EmailAddress, UUID } from '../leaf-types/scalars.js';
import { ResponseStatusEnum } from '../leaf-types/group-enums.js';

@InputType('CreateGroupInput', { description: 'A group to be. Its creator becomes its owner, and has accepted.' })
export class CreateGroupInput {
  @Field(() => String, { description: 'What it is called; 1 to 120 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it is about; at most 2,000 characters; null for none.' })
  description?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many must accept, 1 to 1,000,000; null for everyone who is asked.',
  })
  quorum?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when answers are taken, in the future and before the year 10000 in UTC; null for no deadline.',
  })
  respondBy?: Date | null;
}

@InputType('UpdateGroupInput', { description: 'What to change about a group: null clears, what is left out stays.' })
export class UpdateGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => String, { nullable: true, description: 'A new name; 1 to 120 characters; cannot be cleared.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'A new description; null for none.' })
  description?: string | null;

  @Field(() => Int, { nullable: true, description: 'A new quorum, 1 to 1,000,000; null for everyone who is asked.' })
  quorum?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'A new deadline, in the future and before the year 10000 in UTC; null for none.',
  })
  respondBy?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The revision that the change is meant for; refused when the group has moved on. Null to change it in any case.',
  })
  expectedRevision?: number | null;
}

@InputType('CancelGroupInput', { description: 'A group to cancel.' })
export class CancelGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;
}

@InputType('InviteeInput', { description: 'One person to invite, named in exactly one way.' })
export class InviteeInput {
  @Field(() => UUID, { nullable: true, description: 'Their id; null when they are named another way.' })
  userId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Their username in any case; null when they are named another way.',
  })
  username?: string | null;

  @Field(() => EmailAddress, {
    nullable: true,
    description: 'Their email address, which is offered a place by mail; null when they are named another way.',
  })
  email?: string | null;
}

@InputType('InviteToGroupInput', { description: 'Whom to invite to a group.' })
export class InviteToGroupInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => [InviteeInput], {
    description: '1 to 500 people; each gets an outcome of their own, and one bad entry never spoils the others.',
  })
  invitees!: InviteeInput[];
}

@InputType('UpdateMemberStatusInput', { description: "One member's answer." })
export class UpdateMemberStatusInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => UUID, { description: 'Which member.' })
  userId!: string;

  @Field(() => ResponseStatusEnum, { description: 'The answer.' })
  status!: ResponseStatus;

  @Field(() => Int, {
    nullable: true,
    description:
      "The member's revision that the answer is meant for; refused when they have moved on. Null to answer in any case.",
  })
  expectedRevision?: number | null;
}

@InputType('RecordCompatibilityScoreInput', { description: 'A score to store for a group.' })
export class RecordCompatibilityScoreInput {
  @Field(() => UUID, { description: 'Which group.' })
  groupId!: string;

  @Field(() => Float, { description: '0 to 100 inclusive.' })
  value!: number;

  @Field(() => String, { description: 'Who or what computed it; 1 to 80 characters.' })
  source!: string;
}
