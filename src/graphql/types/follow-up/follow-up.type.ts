import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { TaskStatus } from '../../../accounts/index.js';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { FollowUpStatusEnum } from '../../leaf-types/account-enums.js';
import { DateTime } from '../../leaf-types/scalars.js';

/** Maximum for one registration, which queues each kind of follow-up once. */
export const MAX_FOLLOW_UPS = 20;

@ObjectType('FollowUp', { description: 'One task that a registration owes to its account.' })
export class FollowUpType {
  @Field(() => ID, { description: 'Identifies the follow-up.' })
  id!: string;

  @Field(() => String, {
    description: 'What is to be done: `verify_email`, `claim_invitation` or `announce_registration`.',
  })
  name!: string;

  @Field(() => FollowUpStatusEnum, { description: 'How far it has come.' })
  status!: TaskStatus;

  @Field(() => Int, { description: 'How often it was begun.' })
  attempts!: number;

  @Field(() => DateTime, { description: 'When the registration queued it.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was over; null until then.' })
  finishedAt!: Date | null;
}

export const FollowUpConnection = createConnectionType(
  FollowUpType,
  'FollowUp',
  'the follow-ups of all registrations, newest first',
);
