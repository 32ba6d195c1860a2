import { z } from 'zod';
import { TAG_LIST } from '../conditional-requests/preconditions.js';

export const IDEMPOTENCY_KEY = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .describe('Identifies the request for 24 hours, so that it can be repeated safely. Another request with it is 422.')
  .meta({ examples: ['f1f7e5d4-2b1a-4c89-9d0e-6a5b4c3d2e1f'] });

export const IF_MATCH = z
  .string()
  .regex(new RegExp(String.raw`^\*$|${TAG_LIST.source}`))
  .describe('`*`, or a list of the `ETag` values of PATCH responses that name at most 10 revisions.')
  .meta({ examples: ['"3"'] });

export const IF_NONE_MATCH = z
  .string()
  .describe('The `ETag` of a stored response. The response is 304 when it is still current.')
  .meta({ examples: ['W/"5f-2jmj7l5rSw0yVb"'] });
