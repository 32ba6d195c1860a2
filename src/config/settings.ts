import { z } from 'zod';
import { DURATION_PATTERN, parseDurationMs } from './duration.js';
import { rateLimitSetting } from './rate-limit-setting.js';
import { trustedProxies } from './trust-proxy-setting.js';

/** How a setting is described to people: in `docs/configuration.md`, by `convene doctor` and in error messages. */
export interface Setting<T> {
  readonly schema: z.ZodType<T, string | undefined>;
  readonly description: string;
  /** What the documentation shows as the default. */
  readonly defaultText: string;
}

function setting<T>(schema: z.ZodType<T, string | undefined>, defaultText: string, description: string): Setting<T> {
  return { schema, defaultText, description };
}

const SECRET_BYTES = 32;

function wholeNumber(min: number, max: number, byDefault: number): z.ZodType<number, string | undefined> {
  const message = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .optional()
    .transform((value) => value ?? byDefault);
}

function oneOf<const T extends string>(values: readonly [T, ...T[]], byDefault: T): z.ZodType<T, string | undefined> {
  return z
    .enum(values, `must be one of ${values.join(', ')}`)
    .optional()
    .transform((value) => value ?? byDefault);
}

/** `on`, `off`, or null when it is left to the mode. */
function onOff(): z.ZodType<boolean | null, string | undefined> {
  return z
    .enum(['on', 'off'], 'must be on or off')
    .optional()
    .transform((value) => (value === undefined ? null : value === 'on'));
}

function url(protocols: readonly string[]): z.ZodType<string | null, string | undefined> {
  const message = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), message)
    .optional()
    .transform((value) => value ?? null);
}

/** A web origin, with a path if need be, without the slash at its end. */
function webAddress(): z.ZodType<string | null, string | undefined> {
  return url(['http:', 'https:']).transform((value) => value?.replace(/\/+$/, '') ?? null);
}

function duration(byDefault: string): z.ZodType<number, string | undefined> {
  const message = 'must be a number with a unit: s, m, h or d (as in 15m)';
  return z
    .string()
    .regex(DURATION_PATTERN, message)
    .optional()
    .transform((text) => parseDurationMs(text ?? byDefault));
}

/** How long something is kept, a day at the least, lest a wrong unit erase it; null for ever. */
function retention(byDefault: string): z.ZodType<number | null, string | undefined> {
  const isLongEnough = (text: string): boolean =>
    DURATION_PATTERN.test(text) && parseDurationMs(text) >= parseDurationMs('1d');
  return z
    .string()
    .refine((text) => text === 'off' || isLongEnough(text), 'must be at least a day, as in 365d, or off')
    .optional()
    .transform((text) => (text === 'off' ? null : parseDurationMs(text ?? byDefault)));
}

function secrets(): z.ZodType<readonly Buffer[] | null, string | undefined> {
  const message = `must be ${String(SECRET_BYTES)} bytes in base64, or several such, separated by commas (openssl rand -base64 32)`;
  return z
    .string()
    .transform((text) => text.split(',').map((part) => Buffer.from(part.trim(), 'base64')))
    .refine((keys) => keys.every((key) => key.length === SECRET_BYTES), message)
    .optional()
    .transform((keys) => keys ?? null);
}

/** Every setting of the service, once. Nothing else reads the environment. */
export const SETTINGS = {
  NODE_ENV: setting(
    oneOf(['development', 'production', 'test'], 'development'),
    'development',
    'What the service is run for. `production` refuses to start without SERVER_SECRET and keeps introspection and GraphiQL off.',
  ),
  PORT: setting(wholeNumber(0, 65_535, 4_000), '4000', 'The port to listen on; 0 takes any free one.'),
  HOST: setting(
    z
      .string()
      .min(1, 'must name an address')
      .optional()
      .transform((value) => value ?? '127.0.0.1'),
    '127.0.0.1',
    'The address to listen on; `0.0.0.0` or `::` for every one.',
  ),
  PUBLIC_URL: setting(
    webAddress(),
    'http://localhost:PORT',
    'Where the service is reached from outside; also the issuer of its tokens.',
  ),
  FRONTEND_URL: setting(
    webAddress(),
    'PUBLIC_URL',
    'Where the links in mails lead, when a front end serves those pages instead.',
  ),
  DATA_DIR: setting(
    z
      .string()
      .min(1, 'must name a folder')
      .optional()
      .transform((value) => value ?? '.data'),
    '.data',
    'The folder for the embedded database, the development secret and, without SMTP, the mails.',
  ),
  DATABASE_URL: setting(
    url(['postgres:', 'postgresql:']),
    '(embedded)',
    "A PostgreSQL server of one's own (15 or later) instead of the embedded one.",
  ),
  DATABASE_POOL: setting(wholeNumber(1, 1_000, 10), '10', 'Database connections that one process holds at most.'),
  SERVER_SECRET: setting(
    secrets(),
    '(made and kept in DATA_DIR)',
    '32 random bytes in base64, from which every other key is derived. Several may stand, separated by commas: the first makes, all verify. Production requires it.',
  ),
  LOG_LEVEL: setting(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    'info',
    'The least severe kind of log line to write.',
  ),
  GRAPHQL_ENGINE: setting(
    oneOf(['yoga', 'apollo'], 'yoga'),
    'yoga',
    'Which GraphQL server stands at /graphql: GraphQL Yoga or Apollo Server. Both give the same answers.',
  ),
  INTROSPECTION: setting(onOff(), 'on, in production off', 'Whether clients may ask for the schema.'),
  GRAPHIQL: setting(onOff(), 'on, in production off', 'Whether a browser that opens /graphql gets GraphiQL.'),
  JOBS_BACKEND: setting(oneOf(['postgres', 'mongo'], 'postgres'), 'postgres', 'Where Agenda keeps its jobs.'),
  MONGODB_URI: setting(url(['mongodb:', 'mongodb+srv:']), '(none)', 'The MongoDB server for JOBS_BACKEND=mongo.'),
  SMTP_URL: setting(
    url(['smtp:', 'smtps:']),
    '(none)',
    'The mail server. Without it mails are written to DATA_DIR/outbox.',
  ),
  MAIL_FROM: setting(
    z
      .string()
      .min(3, 'must be an address')
      .optional()
      .transform((value) => value ?? 'Convene <convene@localhost>'),
    'Convene <convene@localhost>',
    'The sender of every mail.',
  ),
  TRUST_PROXY: setting(
    trustedProxies(),
    '(none)',
    'The proxies whose X-Forwarded-* headers count: addresses, CIDR ranges and `loopback`, `linklocal`, `uniquelocal`, separated by commas; or how many proxies stand in front, if the service can be reached through them only.',
  ),
  RATE_LIMITS: setting(
    onOff().transform((value) => value ?? true),
    'on',
    'Whether the limits `LIMIT_…` hold. `off` is meant for load tests, and warned of at the start.',
  ),
  LIMIT_LOGIN: setting(
    rateLimitSetting('10/15m'),
    '10/15m',
    'Failed logins to one account, or with one name, from one address; each time that it is reached, the wait until the next try doubles, up to an hour.',
  ),
  LIMIT_LOGIN_ADDRESS: setting(
    rateLimitSetting('30/15m'),
    '30/15m',
    'Failed logins from one address (IPv6: from one /64 network), whatever the names.',
  ),
  LIMIT_LOGIN_NAME: setting(
    rateLimitSetting('100/1h'),
    '100/1h',
    'Failed logins to one account, or with one name, from all addresses together that its owner has never logged in from.',
  ),
  LIMIT_REGISTER: setting(rateLimitSetting('60/1h'), '60/1h', 'Registrations from one address.'),
  LIMIT_RESET_ADDRESS: setting(rateLimitSetting('30/1h'), '30/1h', 'Requests for a password reset from one address.'),
  LIMIT_MAIL: setting(
    rateLimitSetting('5/1h'),
    '5/1h',
    'Mails of one kind, password resets and verifications, that are sent to one email address. A registration beyond it is made without its mail.',
  ),
  LIMIT_INVITER: setting(rateLimitSetting('200/24h'), '200/24h', 'Invitations that are mailed for one inviter.'),
  LIMIT_INVITEE: setting(
    rateLimitSetting('5/24h'),
    '5/24h',
    'Invitations that are mailed to one address, from all inviters together; those beyond are made without a mail.',
  ),
  BODY_LIMIT_KIB: setting(wholeNumber(1, 100_000, 100), '100', 'The largest body of a request, in KiB.'),
  SEND_TIMEOUT: setting(
    duration('30s').refine((ms) => ms >= 1_000, 'must be at least a second, as in 30s'),
    '30s',
    'How long a client may take nothing of what is sent to it before its connection is closed; so long for each MiB that waits.',
  ),
  GRAPHQL_TOKENS: setting(wholeNumber(1, 100_000, 1_000), '1000', 'The most words and signs of a GraphQL document.'),
  GRAPHQL_DEPTH: setting(
    wholeNumber(1, 1_000, 12),
    '12',
    'The most fields within each other in a GraphQL operation; introspection does not count.',
  ),
  GRAPHQL_ALIASES: setting(wholeNumber(0, 100_000, 20), '20', 'The most aliases of a GraphQL operation.'),
  GRAPHQL_DIRECTIVES: setting(wholeNumber(0, 100_000, 50), '50', 'The most directives of a GraphQL operation.'),
  GRAPHQL_ROOT_FIELDS: setting(
    wholeNumber(1, 100_000, 20),
    '20',
    'The most fields of Query or Mutation in one GraphQL operation.',
  ),
  GRAPHQL_COST: setting(
    wholeNumber(1, 1_000_000_000, 25_000),
    '25000',
    'The most that a GraphQL operation may cost with its variables: a field costs 1, a page its `first` when more than its total is asked for, and what is asked of the entries is multiplied by that.',
  ),
  PASSWORD_MIN_LENGTH: setting(wholeNumber(8, 128, 8), '8', 'The fewest characters of a password.'),
  ARGON2_MEMORY_KIB: setting(
    wholeNumber(19_456, 4_194_304, 19_456),
    '19456',
    'Memory that hashing one password takes (argon2id), in KiB; at most two per processor core are hashed at once. `npm run convene -- doctor --calibrate` proposes a value.',
  ),
  ARGON2_PASSES: setting(
    wholeNumber(2, 100, 2),
    '2',
    'How often hashing a password passes over its memory. A login renews hashes that were made with less.',
  ),
  ACCESS_TOKEN_TTL: setting(duration('15m'), '15m', 'How long an access token is valid.'),
  REFRESH_TOKEN_TTL: setting(
    duration('30d'),
    '30d',
    'How long a session lasts when it is not refreshed; at most 90 days, whatever stands here.',
  ),
  AUDIT_RETENTION: setting(retention('365d'), '365d', 'How long the audit is kept; `off` keeps it for ever.'),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };
