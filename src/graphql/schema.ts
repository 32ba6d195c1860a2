import 'reflect-metadata';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { readArgumentsDirectly } from './policies/read-arguments-directly.js';
import { readPropertiesDirectly } from './policies/read-properties-directly.js';
import { requireMutationPolicies } from './policies/require-mutation-policies.js';
import { requireDeclaredScopes } from './policies/requires-groups-read-scope.js';
import { AccountResolver } from './types/account/resolvers/account.resolver.js';
import { ApiKeyResolver } from './types/api-key/resolvers/api-key.resolver.js';
import { AuditEventResolver } from './types/audit-event/resolvers/audit-event.resolver.js';
import { CompatibilityScoreResolver } from './types/compatibility-score/resolvers/compatibility-score.resolver.js';
import { DeletionPreviewResolver } from './types/deletion-preview/resolvers/deletion-preview.resolver.js';
import { FollowUpResolver } from './types/follow-up/resolvers/follow-up.resolver.js';
import { GroupChangeResolver } from './types/group-change/resolvers/group-change.resolver.js';
import { GroupMutationsResolver } from './types/group/resolvers/group-mutations.resolver.js';
import { GroupResolver } from './types/group/resolvers/group.resolver.js';
import { InvitationMutationsResolver } from './types/invitation/resolvers/invitation-mutations.resolver.js';
import { InvitationResolver } from './types/invitation/resolvers/invitation.resolver.js';
import { MemberMutationsResolver } from './types/member/resolvers/member-mutations.resolver.js';
import { MemberResolver } from './types/member/resolvers/member.resolver.js';
import { NodeResolver } from './types/node/resolvers/node.resolver.js';
import { SessionResolver } from './types/session/resolvers/session.resolver.js';
import { UserResolver } from './types/user/resolvers/user.resolver.js';
import { AccountDeletionResolver } from './types/viewer/resolvers/account-deletion.resolver.js';
import { EmailVerificationResolver } from './types/viewer/resolvers/email-verification.resolver.js';
import { PasswordResolver } from './types/viewer/resolvers/password.resolver.js';
import { ProfileResolver } from './types/viewer/resolvers/profile.resolver.js';
import { RegistrationResolver } from './types/viewer/resolvers/registration.resolver.js';
import { ViewerResolver } from './types/viewer/resolvers/viewer.resolver.js';

/** type-graphql requires one for subscriptions. Each subscription here reads the change feed of the domain instead. */
const PUB_SUB_STUB: PubSub = { publish: rejectTopic, subscribe: rejectTopic };

function rejectTopic(): never {
  throw new Error('Subscription uses topics: pass a `subscribe` function to @Subscription');
}

/**
 * Builds the schema of the service. The domain validates values, so type-graphql's own validation is disabled.
 *
 * @throws Error when a mutation declares no policy, or when a property has middleware
 */
export function buildGraphqlSchema(): GraphQLSchema {
  readPropertiesDirectly();
  const schema = buildSchemaSync({
    resolvers: [
      RegistrationResolver,
      SessionResolver,
      ViewerResolver,
      ProfileResolver,
      EmailVerificationResolver,
      PasswordResolver,
      AccountDeletionResolver,
      DeletionPreviewResolver,
      UserResolver,
      GroupResolver,
      GroupMutationsResolver,
      MemberResolver,
      MemberMutationsResolver,
      InvitationResolver,
      InvitationMutationsResolver,
      CompatibilityScoreResolver,
      GroupChangeResolver,
      AccountResolver,
      ApiKeyResolver,
      AuditEventResolver,
      FollowUpResolver,
      NodeResolver,
    ],
    validate: false,
    // A test checks it. The check runs the introspection query, a twentieth of a start.
    skipCheck: true,
    pubSub: PUB_SUB_STUB,
  });
  readArgumentsDirectly();
  return requireDeclaredScopes(requireMutationPolicies(schema));
}

/** The content of `schema/schema.graphql`, sorted, so that it does not depend on the order of imports. */
export function printedSchema(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
