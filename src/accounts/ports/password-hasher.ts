export interface PasswordHasher {
  /** @throws UnavailableError `OVERLOADED` when too many hashes are queued */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a null hash (unknown user) as for a stored one, so that the response time reveals nothing. A
   * stored hash that the hasher cannot parse verifies no password and takes as long.
   *
   * @throws UnavailableError `OVERLOADED` when too many hashes are queued
   */
  verify(hash: string | null, password: string): Promise<boolean>;
  /** Whether the hash was made with weaker parameters than those in force, or cannot be parsed. */
  needsRehash(hash: string): boolean;
}
