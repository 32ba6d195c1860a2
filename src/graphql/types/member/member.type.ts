import { Field, Int, ObjectType } from 'type-graphql';
import type { GroupRole, ResponseStatus } from '../../../groups/index.js';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { GroupRoleEnum, ResponseStatusEnum } from '../../leaf-types/group-enums.js';
import { DateTime } from '../../leaf-types/scalars.js';
import { NodeType } from '../node/node.type.js';

@ObjectType('Member', {
  implements: NodeType,
  description: "One user's place in one group, with their answer.",
})
export class MemberType {
  @Field(() => GroupRoleEnum, { description: 'What they may do in the group.' })
  role!: GroupRole;

  @Field(() => ResponseStatusEnum, { description: 'What they have answered.' })
  status!: ResponseStatus;

  @Field(() => DateTime, { description: 'When they were invited; for the creator, when the group was created.' })
  invitedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When they last answered; null until they do.' })
  respondedAt!: Date | null;

  @Field(() => Int, { description: 'Grows with every change to this member.' })
  revision!: number;
}

export const MemberConnection = createConnectionType(
  MemberType,
  'Member',
  'the places of people in groups: the members of a group, oldest first, or the memberships of a person, newest first',
);
