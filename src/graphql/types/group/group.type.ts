import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Counts, GroupState } from '../../../groups/index.js';
import { GroupStateEnum } from '../../leaf-types/group-enums.js';
import { DateTime } from '../../leaf-types/scalars.js';
import { RequiresGroupsReadScope } from '../../policies/requires-groups-read-scope.js';
import { NodeType } from '../node/node.type.js';
import { ResponseCountsType } from './response-counts.type.js';

@ObjectType('Group', {
  implements: NodeType,
  description:
    'People invited to something, the rule for what their answers add up to, and the state that follows from both.',
})
export class GroupType {
  @Field(() => ID, { description: 'Identifies the group.' })
  id!: string;

  @Field(() => String, { description: 'What it is called; 1 to 120 characters.' })
  @RequiresGroupsReadScope()
  name!: string;

  @Field(() => String, { nullable: true, description: 'What it is about; null when there is no description.' })
  @RequiresGroupsReadScope()
  description!: string | null;

  @Field(() => GroupStateEnum, { description: 'What the answers add up to at this moment.' })
  state!: GroupState;

  @Field(() => DateTime, { description: 'Since when it has this state.' })
  stateChangedAt!: Date;

  @Field(() => Int, { nullable: true, description: 'How many must accept; null for all who were asked.' })
  @RequiresGroupsReadScope()
  quorum!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'Until when answers are taken; null without a deadline.' })
  @RequiresGroupsReadScope()
  respondBy!: Date | null;

  @Field(() => Int, {
    description: 'Grows by one with every change to its members, their answers, its name, rule or state.',
  })
  revision!: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  @RequiresGroupsReadScope()
  createdAt!: Date;

  @Field(() => Int, { description: 'How many acceptances confirm it: the quorum, or all who were asked (at least 2).' })
  requiredCount!: number;

  @Field(() => Int, { description: 'How many members it has, whatever they answered.' })
  memberCount!: number;

  @Field(() => Int, { description: 'How many members have accepted.' })
  acceptedCount!: number;

  @Field(() => ResponseCountsType, { name: 'responseCounts', description: 'How many gave which answer.' })
  counts!: Counts;
}
