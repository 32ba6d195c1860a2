import 'reflect-metadata';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AccountResolver } from './accounts/account.resolver.js';
import { DeletionPreviewResolver, DeletionResolver } from './accounts/deletion.resolver.js';
import { PasswordResolver } from './accounts/password.resolver.js';
import { ProfileResolver } from './accounts/profile.resolver.js';
import { SessionResolver } from './accounts/session.resolver.js';
import { UserResolver } from './accounts/user.resolver.js';
import { ViewerResolver } from './accounts/viewer.resolver.js';
import { AdminAccountsResolver } from './admin/accounts.resolver.js';
import { AdminApiKeysResolver } from './admin/api-keys.resolver.js';
import { AdminAuditResolver } from './admin/audit.resolver.js';
import { AdminFollowUpsResolver } from './admin/follow-ups.resolver.js';
import { GroupChangeFieldsResolver } from './groups/group-change-fields.resolver.js';
import { GroupFieldsResolver } from './groups/group-fields.resolver.js';
import { GroupMemberResolver } from './groups/group-member.resolver.js';
import { GroupSubscriptionResolver } from './groups/group-subscription.resolver.js';
import { GroupResolver } from './groups/group.resolver.js';
import {
  GroupInvitationsResolver,
  InboxResolver,
  InvitationFieldsResolver,
  InvitationResolver,
} from './groups/invitation.resolver.js';
import { MemberFieldsResolver } from './groups/member-fields.resolver.js';
import { MemberMutationsResolver } from './groups/membership.resolver.js';
import { ViewerMembershipsResolver } from './groups/memberships.resolver.js';
import { ScoreHistoryResolver } from './groups/score-history.resolver.js';
import { PUB_SUB_STUB } from './pub-sub-stub.js';

/** Everything that the service can do. Values are checked by the domain, so type-graphql's own validation stays off. */
export function buildGraphqlSchema(): GraphQLSchema {
  return buildSchemaSync({
    resolvers: [
      AccountResolver,
      ViewerResolver,
      SessionResolver,
      GroupResolver,
      GroupFieldsResolver,
      MemberFieldsResolver,
      GroupChangeFieldsResolver,
      GroupSubscriptionResolver,
      InvitationResolver,
      InvitationFieldsResolver,
      GroupInvitationsResolver,
      InboxResolver,
      PasswordResolver,
      ProfileResolver,
      UserResolver,
      DeletionResolver,
      DeletionPreviewResolver,
      MemberMutationsResolver,
      ViewerMembershipsResolver,
      GroupMemberResolver,
      ScoreHistoryResolver,
      AdminAccountsResolver,
      AdminFollowUpsResolver,
      AdminApiKeysResolver,
      AdminAuditResolver,
    ],
    validate: false,
    pubSub: PUB_SUB_STUB,
  });
}

/** As it stands in `schema/schema.graphql`: in an order that does not depend on that of imports. */
export function printedSchema(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
