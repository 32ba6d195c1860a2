/** Result of one check of `convene doctor`. */
export interface CheckResult {
  /** The checked subject, in one or two words. */
  readonly subject: string;
  /** `warning`: the service works, but the operator should know. */
  readonly state: 'ok' | 'warning' | 'error';
  /** The finding; for an error, also the remedy. */
  readonly text: string;
}
