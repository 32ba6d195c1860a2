/** Fields whose values are never printed. */
const SECRET_FIELDS = new Set(['password', 'access_token', 'refresh_token', 'accessToken', 'refreshToken', 'secret']);
const DEFAULT_WIDTH = 320;

/** Formats a body as one line of JSON without secrets, truncated to `width` characters. */
export function summarizeBody(body: unknown, width = DEFAULT_WIDTH): string {
  const text = JSON.stringify(body, (key, value: unknown) =>
    SECRET_FIELDS.has(key) && typeof value === 'string' ? '…' : value,
  );
  return text.length <= width ? text : `${text.slice(0, width)} …`;
}
