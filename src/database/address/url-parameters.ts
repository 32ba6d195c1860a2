import { z } from 'zod';

/** Accepts each value, whose names the message lists. */
function oneOf<const T extends string>(values: readonly [T, ...T[]]): z.ZodOptional<z.ZodEnum<{ [K in T]: K }>> {
  return z.enum(values, `must be one of ${values.join(', ')}`).optional();
}

const text = z.string().min(1, 'must not be empty').optional();

/** The parameters that a database URL may have after its question mark, by the names of libpq. */
export const URL_PARAMETERS = z.strictObject({
  host: text,
  port: text,
  user: text,
  password: text,
  dbname: text,
  application_name: text,
  options: text,
  connect_timeout: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number of seconds')
    .optional(),
  target_session_attrs: oneOf(['any', 'read-write', 'primary']),
  channel_binding: oneOf(['disable', 'prefer', 'require']),
  // GSS encryption does not exist in the driver, so both of these mean that there is none.
  gssencmode: oneOf(['disable', 'prefer']),
  sslmode: oneOf(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']),
  // As libpq does, for URLs of JDBC.
  ssl: z.enum(['true'], 'must be true').optional(),
  sslrootcert: text,
  sslcert: text,
  sslkey: text,
  sslpassword: text,
});

export type UrlParameters = z.output<typeof URL_PARAMETERS>;
