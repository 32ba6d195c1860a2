import type { Settings } from '../../config/index.js';
import type { CheckResult } from './check-result.js';

type PublicUrlSettings = Pick<Settings, 'NODE_ENV' | 'PORT' | 'PUBLIC_URL' | 'TRUST_PROXY'>;

const LOCAL_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Checks that clients can use the URL that mails and responses name. */
export function checkPublicUrl(settings: PublicUrlSettings): CheckResult {
  const text = settings.PUBLIC_URL ?? `http://localhost:${String(settings.PORT)}`;
  const hint = settings.NODE_ENV === 'production' ? findHint(settings) : null;
  return hint === null
    ? { subject: 'Public URL', state: 'ok', text }
    : { subject: 'Public URL', state: 'warning', text: `${text}: ${hint}` };
}

/** @returns null when the set-up is complete for production */
function findHint({ PUBLIC_URL: url, TRUST_PROXY: proxies }: PublicUrlSettings): string | null {
  if (url === null) return 'the links of mails lead to this machine only. Set PUBLIC_URL.';
  const { protocol, hostname } = new URL(url);
  if (LOCAL_HOST.test(hostname)) return null;
  if (protocol === 'http:') return 'passwords and tokens travel unencrypted. Use https, with a proxy that ends TLS.';
  return proxies.kind === 'none'
    ? 'limits count all clients of the proxy that ends TLS as one. Name that proxy in TRUST_PROXY.'
    : null;
}
