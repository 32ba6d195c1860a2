import { Extensions, Field, ObjectType } from 'type-graphql';
import {
  MAX_INVITEES,
  type GroupState,
  type GroupView,
  type InvitationView,
  type InviteOutcome,
  type MemberView,
} from '../../groups/index.js';
import { atMost } from '../policies/cost.js';
import { GroupStateEnum, InviteOutcomeEnum } from '../leaf-types/group-enums.js';
import { GroupType } from './group.type.js';
import { InvitationType } from './invitation.type.js';
import { MemberType } from './member.type.js';

@ObjectType('CreateGroupPayload', { description: 'The group that was created.' })
export class CreateGroupPayload {
  @Field(() => GroupType, { description: 'The new group.' })
  group!: GroupView;
}

@ObjectType('UpdateGroupPayload', { description: 'The group after the change.' })
export class UpdateGroupPayload {
  @Field(() => GroupType, { description: 'The group, also when there was nothing to change.' })
  group!: GroupView;
}

@ObjectType('CancelGroupPayload', { description: 'The cancelled group.' })
export class CancelGroupPayload {
  @Field(() => GroupType, { description: 'The group, also when it was cancelled before.' })
  group!: GroupView;
}

@ObjectType('InviteResult', { description: 'What came of one entry of an invitation.' })
export class InviteResultType {
  @Field(() => InviteOutcomeEnum, { description: 'What came of it.' })
  outcome!: InviteOutcome;

  @Field(() => MemberType, {
    nullable: true,
    description: 'The member that they are; null when they were not found, and for an address.',
  })
  member!: MemberView | null;

  @Field(() => InvitationType, {
    nullable: true,
    description: 'The invitation that was sent to an address; null for anyone else.',
  })
  invitation!: InvitationView | null;
}

@ObjectType('InviteToGroupPayload', { description: 'What came of an invitation.' })
export class InviteToGroupPayload {
  @Field(() => GroupType, { description: 'The group with its new members.' })
  group!: GroupView;

  @Extensions(atMost(MAX_INVITEES))
  @Field(() => [InviteResultType], { description: 'One result for each entry, in the order of the input.' })
  results!: readonly InviteResultType[];
}

@ObjectType('UpdateMemberStatusPayload', { description: "A member's answer and what it led to." })
export class UpdateMemberStatusPayload {
  @Field(() => MemberType, { description: 'The member with the answer.' })
  member!: MemberView;

  @Field(() => GroupType, { description: 'The group with its new state and counts.' })
  group!: GroupView;

  @Field(() => Boolean, {
    description: 'False when the member had given that very answer before; then nothing was written.',
  })
  changed!: boolean;

  @Field(() => GroupStateEnum, { description: 'The state just before.' })
  previousState!: GroupState;
}

@ObjectType('RecordCompatibilityScorePayload', { description: 'The group whose score was stored.' })
export class RecordCompatibilityScorePayload {
  @Field(() => GroupType, { description: 'The group with its new score.' })
  group!: GroupView;
}
