import { Field, Int, ObjectType } from 'type-graphql';
import type { ChangeCause, Counts, GroupState, ResponseStatus } from '../../../groups/index.js';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { ChangeCauseEnum, GroupStateEnum, ResponseStatusEnum } from '../../leaf-types/group-enums.js';
import { DateTime } from '../../leaf-types/scalars.js';
import { ResponseCountsType } from '../group/response-counts.type.js';
import { NodeType } from '../node/node.type.js';

@ObjectType('GroupChange', {
  implements: NodeType,
  description: 'One revision of a group: what happened, by whom, and what it led to.',
})
export class GroupChangeType {
  @Field(() => Int, { description: "The revision that it made; 1 is the group's creation." })
  revision!: number;

  @Field(() => ChangeCauseEnum, { description: 'What happened.' })
  cause!: ChangeCause;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the API key that did it; null when no program did.',
  })
  apiKey!: string | null;

  @Field(() => ResponseStatusEnum, {
    nullable: true,
    description: 'The answer of the member concerned, afterwards; null when it concerns no member, or one who is gone.',
  })
  status!: ResponseStatus | null;

  @Field(() => GroupStateEnum, { nullable: true, description: 'The state before; null for the creation.' })
  before!: GroupState | null;

  @Field(() => GroupStateEnum, { description: 'The state after.' })
  after!: GroupState;

  @Field(() => ResponseCountsType, { description: 'The counts after.' })
  counts!: Counts;

  @Field(() => DateTime, { description: 'When it happened.' })
  at!: Date;
}

export const GroupChangeConnection = createConnectionType(
  GroupChangeType,
  'GroupChange',
  'the revisions of a group, oldest first',
);
