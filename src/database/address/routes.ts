import { isSocketFolder, type DatabaseTarget, type HostAddress, type SslMode } from './database-target.js';

/** One way to a server: a host, with TLS or without. */
export interface Route extends HostAddress {
  readonly tls: boolean;
}

const ENCRYPTION = {
  disable: [false],
  allow: [false, true],
  prefer: [true, false],
  require: [true],
  'verify-ca': [true],
  'verify-full': [true],
} as const satisfies Record<SslMode, readonly boolean[]>;

/** The ways in the order in which libpq tries them. A socket is never encrypted. */
export function routesTo({ hosts, tls }: DatabaseTarget): Route[] {
  return hosts.flatMap((host) =>
    isSocketFolder(host.host) ? [{ ...host, tls: false }] : ENCRYPTION[tls.mode].map((on) => ({ ...host, tls: on })),
  );
}
