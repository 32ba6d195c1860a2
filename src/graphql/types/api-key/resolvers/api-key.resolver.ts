import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
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
  type CreatedApiKey,
} from '../../../../accounts/index.js';
import { toIdempotentOperation } from '../../../context/idempotent-operation.js';
import type { RequestContext } from '../../../context/request-context.js';
import {
  API_KEY_SCOPES,
  ApiKeyScopeEnum,
  toScopeName,
  type ApiKeyScopeName,
} from '../../../leaf-types/api-key-scope.js';
import { DateTime, UUID } from '../../../leaf-types/scalars.js';
import { AuditedAs } from '../../../policies/audited-as.js';
import { MaxEntries } from '../../../policies/cost.js';
import { LimitedPerCaller } from '../../../policies/limited-per-caller.js';
import { ApiKeyType } from '../api-key.type.js';

@InputType('CreateApiKeyInput', { description: 'The key to be.' })
class CreateApiKeyInput {
  @Field(() => String, { description: 'What it is for: 1 to 80 characters.' })
  name!: string;

  @Field(() => [ApiKeyScopeEnum], { description: 'What it may do; at least one.' })
  scopes!: ApiKeyScopeName[];

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
export class ApiKeyResolver {
  @MaxEntries(MAX_LISTED_API_KEYS)
  @Query(() => [ApiKeyType], { description: 'The API keys, newest first, at most 1,000. Administrators only.' })
  apiKeys(@Ctx() { accounts, actor }: RequestContext): Promise<ApiKey[]> {
    return listApiKeys(accounts, actor, MAX_LISTED_API_KEYS);
  }

  @FieldResolver(() => [ApiKeyScopeEnum], { description: 'What it may do.' })
  scopes(@Root() { scopes }: ApiKey): ApiKeyScopeName[] {
    return scopes.map(toScopeName);
  }

  @AuditedAs('admin-action', ({ apiKey }: CreatedApiKey) => ({ apiKeyId: apiKey.id }))
  @LimitedPerCaller()
  @Mutation(() => CreateApiKeyPayload, {
    description: 'Makes a key for a program, and shows its secret once. Administrators only.',
  })
  createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'The key to be.' }) input: CreateApiKeyInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedApiKey> {
    const { name, scopes, groupIds = null, expiresAt = null } = input;
    const wanted = { name, scopes: scopes.map((scope) => API_KEY_SCOPES[scope]), groupIds, expiresAt };
    return createApiKeyAsAdmin(context.accounts, context.actor, wanted, toIdempotentOperation(context, info, wanted));
  }

  @AuditedAs('admin-action', ({ apiKey }: RevokeApiKeyPayload) => ({ apiKeyId: apiKey.id }))
  @LimitedPerCaller()
  @Mutation(() => RevokeApiKeyPayload, { description: 'Ends a key at once, for good. Administrators only.' })
  async revokeApiKey(
    @Arg('input', () => RevokeApiKeyInput, { description: 'Which key.' }) { apiKeyId }: RevokeApiKeyInput,
    @Ctx() { accounts, actor }: RequestContext,
  ): Promise<RevokeApiKeyPayload> {
    return { apiKey: await revokeApiKey(accounts, actor, apiKeyId) };
  }
}
