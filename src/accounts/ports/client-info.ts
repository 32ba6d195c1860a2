/** The program at the other end of a request, as far as the service can tell. */
export interface ClientInfo {
  /** Its IP address; that of a proxy where the proxy in between is not known to be one. */
  readonly address: string;
  /** What it calls itself (RFC 9110, section 10.1.5); null when it does not. Made up by whoever sends it. */
  readonly userAgent: string | null;
}
