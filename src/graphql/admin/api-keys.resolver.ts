import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  createApiKeyAsAdmin,
  listApiKeys,
  MAX_LISTED_API_KEYS,
  revokeApiKey,
  type ApiKey,
  type ApiKeyScope,
  type CreatedApiKey,
} from '../../accounts/index.js';
import type { RequestContext } from '../context/request-context.js';
import { graphqlEnum } from '../leaf-types/graphql-enum.js';
import { toIdempotentOperation } from '../context/idempotent-operation.js';
import { atMost } from '../policies/cost.js';
import { DateTime, UUID } from '../leaf-types/scalars.js';

/** GraphQL's names have no colon. */
const SCOPES = {
  GROUPS_READ: 'groups:read',
  RESPONSES_WRITE: 'responses:write',
  SCORES_WRITE: 'scores:write',
} as const satisfies Record<string, ApiKeyScope>;
type ScopeName = keyof typeof SCOPES;

const ApiKeyScopeEnum = graphqlEnum<ScopeName>('ApiKeyScope', 'What a program may do with its key.', {
  GROUPS_READ: 'Read groups: state, members, counts, score and history (`groups:read`).',
  RESPONSES_WRITE: 'Record the answers of members (`responses:write`).',
  SCORES_WRITE: 'Write compatibility scores (`scores:write`).',
});

function nameOf(scope: ApiKeyScope): ScopeName {
  switch (scope) {
    case 'groups:read':
      return 'GROUPS_READ';
    case 'responses:write':
      return 'RESPONSES_WRITE';
    case 'scores:write':
      return 'SCORES_WRITE';
  }
}

@ObjectType('ApiKey', { description: 'The key of a program, without its secret.' })
class ApiKeyType {
  @Field(() => UUID, { description: 'Identifies the key.' })
  id!: string;

  @Field(() => String, { description: 'What it is for; the history of groups shows it.' })
  name!: string;

  @Field(() => String, { description: 'The first characters of its secret, to recognise it by.' })
  prefix!: string;

  @Field(() => [UUID], { nullable: true, description: 'The groups that it is limited to; null for every group.' })
  groupIds!: string[] | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ends; null when it does not.' })
  expiresAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was last used, to within a minute; null when it never was.',
  })
  lastUsedAt!: Date | null;
}

@InputType('CreateApiKeyInput', { description: 'The key to be.' })
class CreateApiKeyInput {
  @Field(() => String, { description: 'What it is for: 1 to 80 characters.' })
  name!: string;

  @Field(() => [ApiKeyScopeEnum], { description: 'What it may do; at least one.' })
  scopes!: ScopeName[];

  @Field(() => [UUID], { nullable: true, description: 'The groups that it is for; null for every group.' })
  groupIds?: string[] | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ends; null for never.' })
  expiresAt?: Date | null;
}

@InputType('RevokeApiKeyInput', { description: 'The key to end.' })
class RevokeApiKeyInput {
  @Field(() => UUID, { description: 'Which key.' })
  apiKeyId!: string;
}

@ObjectType('CreateApiKeyPayload', { description: 'The key with its secret.' })
class CreateApiKeyPayload {
  @Field(() => ApiKeyType, { description: 'The new key.' })
  apiKey!: ApiKey;

  @Field(() => String, {
    description: 'What the program sends as its bearer token. It is shown this once; only its hash is kept.',
  })
  secret!: string;
}

@ObjectType('RevokeApiKeyPayload', { description: 'The key that ended.' })
class RevokeApiKeyPayload {
  @Field(() => ApiKeyType, { description: 'The key as it was; it is gone.' })
  apiKey!: ApiKey;
}

@Resolver(() => ApiKeyType)
export class AdminApiKeysResolver {
  @Extensions(atMost(MAX_LISTED_API_KEYS))
  @Query(() => [ApiKeyType], { description: 'The API keys, newest first, at most 1,000. Administrators only.' })
  apiKeys(@Ctx() { accounts, actor }: RequestContext): Promise<ApiKey[]> {
    return listApiKeys(accounts, actor, MAX_LISTED_API_KEYS);
  }

  @FieldResolver(() => [ApiKeyScopeEnum], { description: 'What it may do.' })
  scopes(@Root() { scopes }: ApiKey): ScopeName[] {
    return scopes.map(nameOf);
  }

  @Mutation(() => CreateApiKeyPayload, {
    description: 'Makes a key for a program, and shows its secret once. Administrators only.',
  })
  createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key to be.' }) input: CreateApiKeyInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedApiKey> {
    const { name, scopes, groupIds = null, expiresAt = null } = input;
    const wanted = { name, scopes: scopes.map((scope) => SCOPES[scope]), groupIds, expiresAt };
    return createApiKeyAsAdmin(context.accounts, context.actor, wanted, toIdempotentOperation(context, info, wanted));
  }

  @Mutation(() => RevokeApiKeyPayload, { description: 'Ends a key at once, for good. Administrators only.' })
  async revokeApiKey(
    @Arg('input', () => RevokeApiKeyInput, { description: 'Which key.' }) { apiKeyId }: RevokeApiKeyInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RevokeApiKeyPayload> {
    return { apiKey: await revokeApiKey(accounts, actor, apiKeyId) };
  }
}
