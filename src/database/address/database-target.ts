/** What a database URL says, in the terms of libpq (PostgreSQL documentation, "Connection Strings"). */
export interface DatabaseTarget {
  /** In the order in which they are tried; at least one. */
  readonly hosts: readonly HostAddress[];
  readonly user: string;
  /** Null when the server needs none. */
  readonly password: string | null;
  readonly database: string;
  readonly tls: TlsPolicy;
  readonly channelBinding: 'disable' | 'prefer' | 'require';
  /** Command-line options for the server, as in `-c search_path=tenant`; empty for none. */
  readonly options: string;
  readonly applicationName: string;
  /** Milliseconds for each host; null for the default of the connection. */
  readonly connectTimeoutMs: number | null;
  /** Which server is accepted: any, one whose sessions may write, or one that is no standby. */
  readonly sessionAttributes: 'any' | 'read-write' | 'primary';
}

export interface HostAddress {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export type SslMode = 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** File names are null when the URL names none. */
export interface TlsPolicy {
  readonly mode: SslMode;
  /** PEM file of the trusted certificate authorities, or `system` for those of the operating system. */
  readonly rootCertificateFile: string | null;
  /** PEM files of the client's certificate and its private key. */
  readonly certificateFile: string | null;
  readonly keyFile: string | null;
  readonly keyPassphrase: string | null;
}

export function isSocketFolder(host: string): boolean {
  return host.startsWith('/');
}
