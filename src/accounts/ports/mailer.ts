export interface Mail {
  /** Becomes the Message-ID. A repeated mail keeps its id, so that the receiving server can drop the copy. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /**
   * Resolves when the mail is handed over. Rejects when it was not accepted; the caller may then send it again.
   *
   * @throws PermanentError when sending it again cannot succeed
   */
  send(mail: Mail): Promise<void>;
  /**
   * Rejects with the reason when mail cannot be sent at present.
   *
   * @returns a weakness of the set-up, as a clause for the operator; null for none
   */
  check(): Promise<string | null>;
}
