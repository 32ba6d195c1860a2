/** Never shown, not even of people who were made up. */
const SECRETS = new Set(['password', 'access_token', 'refresh_token', 'accessToken', 'refreshToken', 'secret']);
const WIDTH = 320;

/** A body on one line, without its secrets, cut where it gets long. */
export function summarizeBody(body: unknown, width = WIDTH): string {
  const text = JSON.stringify(body, (key, value: unknown) =>
    SECRETS.has(key) && typeof value === 'string' ? '…' : value,
  );
  return text.length <= width ? text : `${text.slice(0, width)} …`;
}
