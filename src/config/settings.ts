import { z } from 'zod';
import { MIN_CONNECTIONS } from '../database/connection/connection-shares.js';
import { corsOrigins } from './cors-origins-setting.js';
import { databaseUrl } from './database-url-setting.js';
import { DURATION_PATTERN, parseDurationMs } from './duration.js';
import { rateLimitSetting } from './rate-limit-setting.js';
import { certificateFile, smtpUrl } from './smtp-settings.js';
import { trustedProxies } from './trust-proxy-setting.js';
import { publicAddress, webAddress } from './web-address-setting.js';

/** Definition of a setting: how it is parsed, and what the documentation says. */
export interface Setting<T> {
  readonly schema: z.ZodType<T, string | undefined>;
  readonly description: string;
  /** The default as text. */
  readonly defaultText: string;
}

function setting<T>(schema: z.ZodType<T, string | undefined>, defaultText: string, description: string): Setting<T> {
  return { schema, defaultText, description };
}

const SECRET_BYTES = 32;
/** Each has connections of its own, so that a wrong number would exhaust the database. */
const MAX_PROCESSES = 64;

function wholeNumber(min: number, max: number, defaultValue: number): z.ZodType<number, string | undefined> {
  const message = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .optional()
    .transform((value) => value ?? defaultValue);
}

function oneOf<const T extends string>(
  values: readonly [T, ...T[]],
  defaultValue: T,
): z.ZodType<T, string | undefined> {
  return z
    .enum(values, `must be one of ${values.join(', ')}`)
    .optional()
    .transform((value) => value ?? defaultValue);
}

/** `on` or `off`; null when unset, which means the default of `NODE_ENV`. */
function onOff(): z.ZodType<boolean | null, string | undefined> {
  return z
    .enum(['on', 'off'], 'must be on or off')
    .optional()
    .transform((value) => (value === undefined ? null : value === 'on'));
}

/** The driver parses the rest: several hosts (`a:1,b:2`) and sockets are no URL that Node can parse. */
function mongodbUri(): z.ZodType<string | null, string | undefined> {
  return z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must be a URL that begins with mongodb:// or mongodb+srv://')
    .optional()
    .transform((value) => value ?? null);
}

function duration(defaultValue: string): z.ZodType<number, string | undefined> {
  const message = 'must be a number with a unit: s, m, h or d (as in 15m)';
  return z
    .string()
    .regex(DURATION_PATTERN, message)
    .optional()
    .transform((text) => parseDurationMs(text ?? defaultValue));
}

/** A retention period in milliseconds, at least one day because a wrong unit would erase data; null for no limit. */
function retention(defaultValue: string): z.ZodType<number | null, string | undefined> {
  const isLongEnough = (text: string): boolean =>
    DURATION_PATTERN.test(text) && parseDurationMs(text) >= parseDurationMs('1d');
  return z
    .string()
    .refine((text) => text === 'off' || isLongEnough(text), 'must be at least a day, as in 365d, or off')
    .optional()
    .transform((text) => (text === 'off' ? null : parseDurationMs(text ?? defaultValue)));
}

function secrets(): z.ZodType<readonly Buffer[] | null, string | undefined> {
  const form = `${String(SECRET_BYTES)} bytes in base64`;
  const message = `must be ${form}, or several such, separated by commas (openssl rand -base64 32)`;
  return z
    .string()
    .transform((text) => text.split(',').map((part) => Buffer.from(part.trim(), 'base64')))
    .refine((keys) => keys.every((key) => key.length === SECRET_BYTES), message)
    .optional()
    .transform((keys) => keys ?? null);
}

/** Every setting of the service. No other module reads the environment. */
export const SETTINGS = {
  NODE_ENV: setting(
    oneOf(['development', 'production', 'test'], 'development'),
    'development',
    'Environment: `development`, `production` or `test`. `production` requires SERVER_SECRET and turns ' +
      'introspection and GraphiQL off by default.',
  ),
  PORT: setting(wholeNumber(0, 65_535, 4_000), '4000', 'TCP port. 0 selects a free port.'),
  HOST: setting(
    z
      .string()
      .min(1, 'must name an address')
      .optional()
      .transform((value) => value ?? '127.0.0.1'),
    '127.0.0.1',
    'Address to listen on. `0.0.0.0` or `::` listens on every interface.',
  ),
  WEB_CONCURRENCY: setting(
    wholeNumber(1, MAX_PROCESSES, 1),
    '1',
    'Number of processes that serve the port, up to 64. With more than 1, a primary process starts them as its ' +
      'workers, replaces those that end, and passes the connections to them in turn. Each has `DATABASE_POOL` ' +
      'connections of its own.',
  ),
  PUBLIC_URL: setting(
    publicAddress(),
    'http://localhost:PORT',
    'URL by which clients reach the service, without query and fragment. Also the issuer of its tokens. It may have ' +
      'a path, which a proxy in front of the service may keep or remove.',
  ),
  FRONTEND_URL: setting(
    webAddress(),
    'PUBLIC_URL',
    'Base URL of the links in mails, for a front end that serves those pages.',
  ),
  CORS_ORIGINS: setting(
    corsOrigins(),
    'the origin of FRONTEND_URL',
    'Origins of front ends whose scripts may call the service from browsers, separated by commas, or `*` for every ' +
      'origin. Cookies and other credentials of the browser are never accepted. Public keys and metadata are ' +
      'readable by every origin.',
  ),
  DATA_DIR: setting(
    z
      .string()
      .min(1, 'must name a folder')
      .optional()
      .transform((value) => value ?? '.data'),
    '.data',
    'Folder of the embedded database, the development secret and, without SMTP_URL, the mails.',
  ),
  DATABASE_URL: setting(
    databaseUrl(),
    '(embedded)',
    'URL of a PostgreSQL server (15 or later), with the parameters of libpq that docs/operations.md lists. ' +
      'Unset: the service starts an embedded server.',
  ),
  DATABASE_POOLER: setting(
    oneOf(['none', 'session', 'transaction'], 'none'),
    'none',
    'Pooler, such as PgBouncer, that DATABASE_URL leads to, in its mode: `none`, `session` or `transaction`. ' +
      'It cannot be detected reliably.',
  ),
  DATABASE_DIRECT_URL: setting(
    databaseUrl(),
    '(none)',
    'URL of the server past the pooler, for migrations and for listening. Unset with a transaction pooler: ' +
      'the service polls instead of listening.',
  ),
  DATABASE_POOL: setting(
    wholeNumber(MIN_CONNECTIONS, 1_000, 16),
    '16',
    'Maximum number of database connections of one process: 3 listen for notifications, up to 3 are for jobs, and ' +
      'the others are for requests and tasks. The server must grant `WEB_CONCURRENCY` times as many.',
  ),
  SERVER_SECRET: setting(
    secrets(),
    '(made and kept in DATA_DIR)',
    '32 random bytes in base64, from which all other keys are derived. A comma-separated list rotates the secret: ' +
      'the first signs, all verify. Required in production.',
  ),
  LOG_LEVEL: setting(
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    'info',
    'Lowest severity that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  ),
  GRAPHQL_ENGINE: setting(
    oneOf(['yoga', 'apollo'], 'yoga'),
    'yoga',
    'GraphQL server at /graphql: `yoga` (GraphQL Yoga) or `apollo` (Apollo Server). Both give the same responses.',
  ),
  DIRECT_LANE: setting(
    onOff().transform((value) => value ?? true),
    'on',
    'Whether GraphQL requests by POST run without `GRAPHQL_ENGINE` and, as far as they can, without Fastify, whose ' +
      'HTTP layers take most of their processor time. The responses are the same.',
  ),
  INTROSPECTION: setting(onOff(), 'on, in production off', 'Whether clients may query the schema by introspection.'),
  GRAPHIQL: setting(
    onOff(),
    'on, in production off',
    'Whether /graphql serves GraphiQL to browsers. Off with TRUSTED_DOCUMENTS_ONLY.',
  ),
  TRUSTED_DOCUMENTS: setting(
    z
      .string()
      .optional()
      .transform((value) => value ?? null),
    '(none)',
    'Folder of GraphQL documents that clients may call by their id, in addition to those of the service: files ' +
      '`.graphql`, or manifests `.json`. Read at the start.',
  ),
  TRUSTED_DOCUMENTS_ONLY: setting(
    onOff().transform((value) => value ?? false),
    'off',
    'Whether /graphql rejects all other documents. `on` turns GraphiQL off.',
  ),
  FEDERATION: setting(
    onOff().transform((value) => value ?? false),
    'off',
    'Whether the schema is that of a subgraph of Apollo Federation 2, for a gateway in front of the service.',
  ),
  JOBS_BACKEND: setting(
    oneOf(['postgres', 'mongo'], 'postgres'),
    'postgres',
    'Storage of Agenda: `postgres` or `mongo`.',
  ),
  MONGODB_URI: setting(
    mongodbUri(),
    '(none)',
    'URI of the MongoDB server or replica set, with the database as its path. Required with JOBS_BACKEND=mongo.',
  ),
  SMTP_URL: setting(
    smtpUrl(),
    '(none)',
    'URL of the mail server: `smtps://` (TLS), or `smtp://`, which uses STARTTLS where the server offers it and ' +
      'requires it for a password. Certificates are verified. Unset: mails are written to DATA_DIR/outbox.',
  ),
  SMTP_CA_FILE: setting(
    certificateFile(),
    '(none)',
    'File of certificates (PEM) of authorities that may sign the certificate of the mail server, besides those that ' +
      'Node.js trusts.',
  ),
  MAIL_FROM: setting(
    z
      .string()
      .min(3, 'must be an address')
      .optional()
      .transform((value) => value ?? 'Convene <convene@localhost>'),
    'Convene <convene@localhost>',
    'Sender of every mail, one address.',
  ),
  TRUST_PROXY: setting(
    trustedProxies(),
    '(none)',
    'Proxies whose X-Forwarded-* headers are used: a comma-separated list of addresses, CIDR ranges, `loopback`, ' +
      '`linklocal` and `uniquelocal`. Or the number of proxies, if the service is reachable through them only. ' +
      'Unset: the headers are ignored.',
  ),
  RATE_LIMITS: setting(
    onOff().transform((value) => value ?? true),
    'on',
    'Whether the limits `LIMIT_…` apply. `off` is for load tests and logs a warning at the start.',
  ),
  LIMIT_LOGIN: setting(
    rateLimitSetting('10/15m'),
    '10/15m',
    'Failed logins to one account, or with one name, from one address. Each time the limit is reached within a ' +
      'day, the wait doubles, up to 1 h.',
  ),
  LIMIT_LOGIN_ADDRESS: setting(
    rateLimitSetting('30/15m'),
    '30/15m',
    'Failed logins from one address (IPv6: one /64 network), with any name.',
  ),
  LIMIT_LOGIN_NAME: setting(
    rateLimitSetting('100/1h'),
    '100/1h',
    'Failed logins to one account, or with one name, from all addresses that its owner has never logged in from.',
  ),
  LIMIT_REGISTER: setting(rateLimitSetting('60/1h'), '60/1h', 'Registrations from one address.'),
  LIMIT_RESET_ADDRESS: setting(rateLimitSetting('30/1h'), '30/1h', 'Requests for a password reset from one address.'),
  LIMIT_MAIL: setting(
    rateLimitSetting('5/1h'),
    '5/1h',
    'Reset mails, and verification mails, to one email address. Each kind is counted separately. A registration ' +
      'over the limit succeeds without its mail.',
  ),
  LIMIT_INVITER: setting(rateLimitSetting('200/24h'), '200/24h', 'Invitation mails of one inviter.'),
  LIMIT_INVITEE: setting(
    rateLimitSetting('5/24h'),
    '5/24h',
    'Invitation mails to one address, from all inviters. An invitation over the limit is created without a mail.',
  ),
  BODY_LIMIT_KIB: setting(wholeNumber(1, 100_000, 100), '100', 'Maximum size of a request body in KiB.'),
  SEND_TIMEOUT: setting(
    duration('30s').refine((ms) => ms >= 1_000, 'must be at least a second, as in 30s'),
    '30s',
    'Time after which a connection is closed when the client reads nothing of a pending response. Applies to each ' +
      'pending MiB. At least 1s.',
  ),
  GRAPHQL_TOKENS: setting(wholeNumber(1, 100_000, 1_000), '1000', 'Maximum number of tokens of a GraphQL document.'),
  GRAPHQL_DEPTH: setting(
    wholeNumber(1, 1_000, 12),
    '12',
    'Maximum nesting of fields in a GraphQL operation. Introspection is not counted.',
  ),
  GRAPHQL_ALIASES: setting(wholeNumber(0, 100_000, 20), '20', 'Maximum number of aliases in a GraphQL operation.'),
  GRAPHQL_DIRECTIVES: setting(
    wholeNumber(0, 100_000, 50),
    '50',
    'Maximum number of directives in a GraphQL operation.',
  ),
  GRAPHQL_ROOT_FIELDS: setting(
    wholeNumber(1, 100_000, 20),
    '20',
    'Maximum number of root fields in a GraphQL operation.',
  ),
  GRAPHQL_COST: setting(
    wholeNumber(1, 1_000_000_000, 25_000),
    '25000',
    'Maximum cost of a GraphQL operation with its variables. A field costs 1. A page costs its `first` when more ' +
      'than its total is selected, and multiplies the cost of its entries by that.',
  ),
  PASSWORD_MIN_LENGTH: setting(wholeNumber(8, 128, 8), '8', 'Minimum number of characters of a password.'),
  ARGON2_MEMORY_KIB: setting(
    wholeNumber(19_456, 4_194_304, 19_456),
    '19456',
    'Memory for hashing one password with argon2id, in KiB. One password per processor core is hashed ' +
      'at a time. `npm run convene -- doctor --calibrate` proposes a value.',
  ),
  ARGON2_PASSES: setting(
    wholeNumber(2, 100, 2),
    '2',
    'Passes of argon2id over its memory. A login rehashes a password whose hash has weaker parameters.',
  ),
  ACCESS_TOKEN_TTL: setting(duration('15m'), '15m', 'Lifetime of an access token.'),
  REFRESH_TOKEN_TTL: setting(
    duration('30d'),
    '30d',
    'Lifetime of a session after its last refresh. A session ends 90 days after its login at the latest.',
  ),
  AUDIT_RETENTION: setting(
    retention('365d'),
    '365d',
    'Retention of audit events, at least 1d. `off` keeps them without limit.',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };
