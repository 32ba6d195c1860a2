import { z } from 'zod';

const WEB_PROTOCOLS: readonly string[] = ['http:', 'https:'];
/** Proxies and clients spell other characters in different ways. */
const BASE_PATH = /^(?:\/[\w.~-]+)*$/;
/** Paths of the service. Under a base path of the same name, a proxy that removes it would make them ambiguous. */
const OWN_PATHS = [
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/api/auth',
  '/api/docs',
  '/api/groups',
  '/app',
  '/docs',
  '/graphiql',
  '/graphql',
  '/invitation',
  '/livez',
  '/openapi.json',
  '/problems',
  '/readyz',
  '/reset-password',
  '/verify-email',
];

type WebAddress = z.ZodType<string | null, string | undefined>;

/** An HTTP URL to which paths are appended, without a slash at its end. */
export function webAddress(): WebAddress {
  return addressWithout(() => null);
}

/** A web address whose path is the base path of the service. */
export function publicAddress(): WebAddress {
  return addressWithout((path) => {
    if (!BASE_PATH.test(path))
      return 'must have a path of letters, digits, ".", "_", "~" and "-" only, as in https://example.org/convene';
    return OWN_PATHS.some((own) => contains(own, path) || contains(path, own))
      ? 'must not have a path that the service uses itself, such as /graphql'
      : null;
  });
}

/** @param findPathProblem receives the path without a slash at its end; empty for the root */
function addressWithout(findPathProblem: (path: string) => string | null): WebAddress {
  return z
    .string()
    .superRefine((text, context) => {
      const problem = findProblem(text) ?? findPathProblem(pathOf(new URL(text)));
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .transform((text) => new URL(text))
    .transform((url) => url.origin + pathOf(url))
    .optional()
    .transform((value) => value ?? null);
}

function findProblem(text: string): string | null {
  if (!URL.canParse(text) || !WEB_PROTOCOLS.includes(new URL(text).protocol))
    return 'must be a URL that begins with http:// or https://';
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must not have a user name or a password';
  return /[?#]/.test(text) ? 'must not have a query (?) or a fragment (#), because paths are appended to it' : null;
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

function contains(path: string, base: string): boolean {
  return base !== '' && (path === base || path.startsWith(`${base}/`));
}
