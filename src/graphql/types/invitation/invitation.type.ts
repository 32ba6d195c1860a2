import { Field, ID, ObjectType } from 'type-graphql';
import { createConnectionType } from '../../connections/create-connection-type.js';
import { DateTime, EmailAddress } from '../../leaf-types/scalars.js';
import { NodeType } from '../node/node.type.js';

@ObjectType('Invitation', {
  implements: NodeType,
  description: 'A place in a group that was offered to an email address.',
})
export class InvitationType {
  @Field(() => ID, { description: 'Identifies the invitation.' })
  id!: string;

  @Field(() => EmailAddress, { description: 'The address, as the inviter typed it.' })
  email!: string;

  @Field(() => DateTime, { description: 'When it was made; anew when it had expired.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Until when it can be claimed.' })
  expiresAt!: Date;
}

@ObjectType('InvitationPreview', { description: 'What the link of an invitation shows before it is answered.' })
export class InvitationPreviewType {
  @Field(() => String, { description: 'What the group is called.' })
  groupName!: string;

  @Field(() => String, { nullable: true, description: "Who invites; null when the inviter's account is gone." })
  invitedBy!: string | null;

  @Field(() => DateTime, { description: 'Until when it can be claimed.' })
  expiresAt!: Date;
}

export const InvitationConnection = createConnectionType(InvitationType, 'Invitation', 'invitations, oldest first');
