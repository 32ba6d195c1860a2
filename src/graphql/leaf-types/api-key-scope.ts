import type { ApiKeyScope } from '../../accounts/index.js';
import { graphqlEnum } from './graphql-enum.js';

/** The scopes by their GraphQL names, which cannot contain a colon. */
export const API_KEY_SCOPES = {
  GROUPS_READ: 'groups:read',
  RESPONSES_WRITE: 'responses:write',
  SCORES_WRITE: 'scores:write',
  FEDERATION: 'federation',
} as const satisfies Record<string, ApiKeyScope>;

export type ApiKeyScopeName = keyof typeof API_KEY_SCOPES;

export const ApiKeyScopeEnum = graphqlEnum<ApiKeyScopeName>('ApiKeyScope', 'What a program may do with its key.', {
  GROUPS_READ: 'Read groups: state, members, counts, score and history (`groups:read`).',
  RESPONSES_WRITE: 'Record the answers of members (`responses:write`).',
  SCORES_WRITE: 'Write compatibility scores (`scores:write`).',
  FEDERATION: 'Read the schema and resolve references as the gateway of a supergraph (`federation`).',
});

export function toScopeName(scope: ApiKeyScope): ApiKeyScopeName {
  switch (scope) {
    case 'groups:read':
      return 'GROUPS_READ';
    case 'responses:write':
      return 'RESPONSES_WRITE';
    case 'scores:write':
      return 'SCORES_WRITE';
    case 'federation':
      return 'FEDERATION';
  }
}
