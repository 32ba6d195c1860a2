/** What the domain needs from outside. Whoever builds the service hands these in; tests hand in their own. */

export interface Clock {
  now(): Date;
}

export interface Mail {
  /** Same id, same mail: a mailer that is asked twice may deliver twice, but under one Message-ID. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves once the mail is handed over; rejects when it was not taken, and may then be asked again. */
  send(mail: Mail): Promise<void>;
  /** Rejects with the reason when mail cannot be sent at present. */
  check(): Promise<void>;
}

export interface PasswordHasher {
  /** @throws UnavailableError `OVERLOADED` when too many hashes are waiting. */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a null hash (unknown user) as for a real one, so that the time says nothing. A stored hash that
   * the hasher cannot read verifies no password, and takes as long.
   * @throws UnavailableError `OVERLOADED` when too many hashes are waiting.
   */
  verify(hash: string | null, password: string): Promise<boolean>;
  /** True when the hash was made with weaker parameters than those in force, or cannot be read. */
  isOutdated(hash: string): boolean;
}
