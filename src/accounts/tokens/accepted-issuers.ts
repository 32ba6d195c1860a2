/** Returns whether the issuer of a genuine token is a process of this service. */
export type IssuerCheck = (issuer: string) => boolean;

/** The issuers of processes without PUBLIC_URL, by their ports. A URL leaves out port 80. */
const LOCAL_ISSUER = /^http:\/\/localhost(?::\d{1,5})?$/;

/**
 * Returns the check of issuers for all processes on one database.
 *
 * Reason: without PUBLIC_URL, the issuer is `http://localhost:PORT`, because clients require that the metadata of an
 * issuer (RFC 8414, section 3.3) name the URL that they were read from. Processes on other ports have the same keys.
 *
 * @param publicUrl the issuer of this process
 */
export function acceptedIssuers(publicUrl: string, hasPublicUrl: boolean): IssuerCheck {
  return hasPublicUrl ? (issuer) => issuer === publicUrl : (issuer) => LOCAL_ISSUER.test(issuer);
}
