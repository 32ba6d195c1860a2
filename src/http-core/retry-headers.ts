import type { ExceededPolicy } from '../errors/index.js';
import type { ErrorDescriptor } from './error-descriptor.js';

/**
 * Returns `Retry-After` and, for a rate limit, `RateLimit` and `RateLimit-Policy` of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers, sections 3 and 4). All name the same number of seconds.
 */
export function retryHeaders({ retryAfterSeconds, policy }: ErrorDescriptor): Readonly<Record<string, string>> {
  if (retryAfterSeconds === undefined) return {};
  const headers = { 'retry-after': String(retryAfterSeconds) };
  if (policy === undefined) return headers;
  return {
    ...headers,
    'ratelimit-policy': `"${policy.name}";q=${policy.quota};${windowOrUnit(policy)}`,
    ratelimit: `"${policy.name}";r=0;t=${retryAfterSeconds}`,
  };
}

/** The quota of a concurrency limit has a unit and no window. */
function windowOrUnit(policy: ExceededPolicy): string {
  return 'unit' in policy ? `qu="${policy.unit}"` : `w=${policy.windowSeconds}`;
}
