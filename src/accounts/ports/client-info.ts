/** The client of a request. */
export interface ClientInfo {
  /** IP address; that of the proxy when the proxy is not a trusted one. */
  readonly address: string;
  /** User-Agent header (RFC 9110, section 10.1.5); null when absent. Client-controlled. */
  readonly userAgent: string | null;
}
