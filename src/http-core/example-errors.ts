import { CATALOGUE } from '../errors/index.js';
import type { ErrorDescriptor } from './error-descriptor.js';
import { toProblemDetails, type ProblemDetails } from './problem-details.js';
import type { ProblemType } from './problem-types.js';
import type { PublicUrl } from './public-url.js';

const PATH = '/api/auth/register';
const REQUEST_ID = '5b2f4c1e-8d0a-4f3b-9c7e-1a2b3c4d5e6f';
const FIELDS = [{ field: 'username', message: 'must have 3 to 32 characters' }];
const DOMAIN_CODES: ReadonlySet<string> = new Set(Object.values(CATALOGUE).map(({ code }) => code));

/** Formats the first reason of a code as a REST response. */
export function exampleProblem(type: ProblemType, publicUrl: PublicUrl): ProblemDetails {
  return toProblemDetails(exampleDescriptor(type), { path: PATH, requestId: REQUEST_ID, publicUrl });
}

/**
 * Returns the status of a code in a GraphQL response. An error of the domain is part of a result. A request that HTTP
 * rejects does not reach GraphQL.
 */
export function graphqlStatus({ code, status }: ProblemType): number {
  return DOMAIN_CODES.has(code) ? 200 : status;
}

function exampleDescriptor({ code, reasons }: ProblemType): ErrorDescriptor {
  const [reason = code, { message } = { message: '' }] = Object.entries(reasons)[0] ?? [];
  return { code, reason, message, fields: reason === 'INVALID_INPUT' ? FIELDS : undefined };
}
