import { z } from 'zod';
import { COMPONENT_SCHEMAS, COUNT, EXAMPLE_IDS, TIME, UUID } from './component-schemas.js';

const ACCESS_TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTk4In0.c2lnbmF0dXJl';
const REFRESH_TOKEN = 'cvr_8JvXw0m2';
const PROFILE_EXAMPLE = {
  user_id: EXAMPLE_IDS.user_id,
  username: 'ada',
  email: 'ada@example.org',
  email_verified: false,
  display_name: null,
  created_at: '2026-11-28T01:32:36.843Z',
};

/**
 * The ASCII part of the rule of usernames: no other separators, and none at an end. Validators of other languages know
 * no classes of Unicode characters.
 */
const USERNAME = new RegExp(
  String.raw`^[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]` +
    String.raw`[^\x00-\x2c\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]*[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]$`,
);

const WITHOUT_NUL = new RegExp(String.raw`^[^\x00]*$`);

const profileFields = {
  user_id: UUID,
  username: z.string().describe('As it was registered. Usernames are compared without regard to case.'),
  email: z.string().nullable().describe('Null without an address.'),
  email_verified: z.boolean().describe('True after the link of the verification mail was opened.'),
  display_name: z.string().nullable().describe('Null without a display name.'),
  created_at: TIME,
};

export const REGISTRATION = z
  .strictObject({
    username: z
      .string()
      .min(3)
      .max(32)
      .regex(USERNAME)
      .describe(
        'Letters and digits of any script, dots, underscores and hyphens, beginning and ending with a letter or ' +
          'digit. Unique without regard to case.',
      ),
    password: z
      .string()
      .min(8)
      .max(128)
      .regex(WITHOUT_NUL)
      .describe(
        'Neither common nor equal to the username or the email address. The service may require more characters.',
      )
      .meta({ format: 'password' }),
    email: z
      .string()
      .max(254)
      .nullish()
      .describe('The domain may be Unicode. A verification link is mailed to the address. Null for none.')
      .meta({ format: 'idn-email' }),
    display_name: z
      .string()
      .min(1)
      .max(400)
      .nullish()
      .describe('1 to 80 characters as users count them, in one line and visible. Null for none.'),
    invitation: z
      .string()
      .nullish()
      .describe('The secret of a mailed invitation that the new account claims. Null for none.'),
  })
  .meta({
    description: 'A new account. Unknown fields are rejected.',
    examples: [
      { username: 'ada', password: 'seven quiet lanterns' },
      { username: 'ada', password: 'seven quiet lanterns', email: 'ada@example.org', display_name: 'Ada L.' },
    ],
  })
  .register(COMPONENT_SCHEMAS, { id: 'Registration' });

const FOLLOW_UP = z
  .strictObject({
    name: z.string().describe('The name of the task. Later versions may add names.'),
    status: z.enum(['queued', 'running', 'done', 'skipped', 'failed']),
  })
  .describe('A task that the service runs after a registration.')
  .register(COMPONENT_SCHEMAS, { id: 'FollowUp' });

export const REGISTERED_ACCOUNT = z
  .strictObject({ ...profileFields, follow_ups: z.array(FOLLOW_UP) })
  .meta({
    description: 'The created account with its queued follow-ups.',
    examples: [{ ...PROFILE_EXAMPLE, follow_ups: [{ name: 'verify_email', status: 'queued' }] }],
  })
  .register(COMPONENT_SCHEMAS, { id: 'RegisteredAccount' });

export const PROFILE = z
  .strictObject({ ...profileFields, roles: z.array(z.enum(['user', 'admin'])) })
  .meta({ description: 'The profile of the caller.', examples: [{ ...PROFILE_EXAMPLE, roles: ['user'] }] })
  .register(COMPONENT_SCHEMAS, { id: 'Profile' });

const PASSWORD_GRANT = z
  .looseObject({
    grant_type: z.enum(['password', '']).optional().describe('Empty and omitted mean `password`.'),
    username: z.string().describe('The username in any case, or the verified email address.'),
    password: z.string().meta({ format: 'password' }),
  })
  .meta({
    description: 'Login (RFC 6749, section 4.3). Unknown fields are ignored.',
  })
  .register(COMPONENT_SCHEMAS, { id: 'PasswordGrant' });

const REFRESH_GRANT = z
  .looseObject({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().min(1).describe('The latest refresh token of the session.'),
  })
  .meta({
    description: 'Token refresh (RFC 6749, section 6). Unknown fields are ignored.',
  })
  .register(COMPONENT_SCHEMAS, { id: 'RefreshGrant' });

export const TOKEN_REQUEST = z
  .union([PASSWORD_GRANT, REFRESH_GRANT])
  .meta({
    description: 'A grant of RFC 6749.',
    examples: [
      { username: 'ada', password: 'seven quiet lanterns' },
      { grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN },
    ],
  })
  .register(COMPONENT_SCHEMAS, { id: 'TokenRequest' });

export const TOKENS = z
  .strictObject({
    access_token: z.string().describe('For the header Authorization.'),
    token_type: z.string().meta({ const: 'bearer' }),
    expires_in: COUNT.describe('Lifetime of the access token in seconds.'),
    refresh_token: z.string().describe('Valid once. Its use returns the next one.'),
    user_id: UUID,
  })
  .meta({
    description: 'The tokens of a session (RFC 6749, section 5.1).',
    examples: [
      {
        access_token: ACCESS_TOKEN,
        token_type: 'bearer',
        expires_in: 900,
        refresh_token: REFRESH_TOKEN,
        user_id: EXAMPLE_IDS.user_id,
      },
    ],
  })
  .register(COMPONENT_SCHEMAS, { id: 'Tokens' });

export const REVOCATION = z
  .looseObject({
    token: z.string().min(1).describe('A refresh token of any generation, or an access token, of the session.'),
    token_type_hint: z.unknown().optional().describe('Ignored.'),
  })
  .meta({
    description: 'A token revocation (RFC 7009). Unknown fields are ignored.',
    examples: [{ token: REFRESH_TOKEN }],
  })
  .register(COMPONENT_SCHEMAS, { id: 'Revocation' });

export const REVOKED = z
  .strictObject({})
  .meta({ description: 'The response to a revocation, also of an unknown token.', examples: [{}] })
  .register(COMPONENT_SCHEMAS, { id: 'Revoked' });
