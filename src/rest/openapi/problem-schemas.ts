import { z } from 'zod';
import { PROBLEM_TYPES, type ProblemDetails } from '../../http-core/index.js';
import { COMPONENT_SCHEMAS } from '../routes/component-schemas.js';

const CODES = PROBLEM_TYPES.map(({ code }) => code);
const REASONS = PROBLEM_TYPES.flatMap(({ reasons }) => Object.keys(reasons));

const FIELD_ERROR = z
  .strictObject({
    field: z.string().describe('The name of the field, query parameter, path parameter or header.'),
    message: z.string().describe('What is allowed. The input is never repeated.'),
  })
  .describe('A wrong or missing value.')
  .register(COMPONENT_SCHEMAS, { id: 'FieldError' });

const PROBLEM_FIELDS = z.strictObject({
  type: z.string().meta({ format: 'uri-reference', description: 'The path of a page that explains the reason.' }),
  title: z.string().describe('The same for every problem with this code.'),
  status: z.int().min(400).max(599),
  detail: z.string().describe('One sentence for people.'),
  instance: z.string().describe('The path of the request as it was sent. Empty when it could not be parsed.'),
  code: z.enum(CODES).describe('The class of the problem. Later versions may add codes.'),
  reason: z.enum(REASONS).describe('The exact cause, for programs. Later versions may add reasons.'),
  errors: z.array(FIELD_ERROR).exactOptional().describe('Present when single values are wrong.'),
  request_id: z.string().describe('The same as the header X-Request-Id. The log of the service has it too.'),
});

export const PROBLEM: z.ZodType<ProblemDetails> = PROBLEM_FIELDS.describe('Problem details (RFC 9457).').register(
  COMPONENT_SCHEMAS,
  { id: 'Problem' },
);

export const OAUTH_PROBLEM: z.ZodType<ProblemDetails> = PROBLEM_FIELDS.extend({
  error: z.enum([
    'invalid_request',
    'invalid_grant',
    'unsupported_grant_type',
    'temporarily_unavailable',
    'server_error',
  ]),
  error_description: z.string().describe('The same as `detail`.'),
})
  .describe('Problem details with the members of RFC 6749, section 5.2.')
  .register(COMPONENT_SCHEMAS, { id: 'OAuthProblem' });
