import { Field, ObjectType } from 'type-graphql';
import type { GroupState, GroupView } from '../../../groups/index.js';
import { GroupStateEnum } from '../../leaf-types/group-enums.js';
import { GroupType } from '../group/group.type.js';

@ObjectType('GroupChangePreview', {
  description: 'What the end of an account would mean for a group that goes on without it.',
})
export class GroupChangePreviewType {
  @Field(() => GroupType, { description: 'The group, as it is now.' })
  group!: GroupView;

  @Field(() => GroupStateEnum, { description: 'Its state now.' })
  before!: GroupState;

  @Field(() => GroupStateEnum, { description: 'The state that it would have; often the same.' })
  after!: GroupState;
}

@ObjectType('DeletionPreview', {
  description:
    'What deleting the account would lead to at this moment. Groups without another member are deleted with it.',
})
export class DeletionPreviewType {
  /** The account to be deleted. The resolver of each field reads its data. */
  userId!: string;
}
