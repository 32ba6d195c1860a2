/** What one check of the doctor found. */
export interface CheckResult {
  /** What was looked at, in a word or two. */
  readonly about: string;
  /** `note`: nothing is broken, but somebody should know. */
  readonly state: 'fine' | 'note' | 'wrong';
  /** What is the case; when it is wrong, also what to do about it. */
  readonly text: string;
}
