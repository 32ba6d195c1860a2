export const API_KEY_SCOPES = ['groups:read', 'responses:write', 'scores:write', 'federation'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];
