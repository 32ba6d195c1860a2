/** How large an operation may be. Fragments count wherever they are spread, and so does what `@skip` leaves out. */
export interface OperationLimits {
  /** Fields within each other; those of introspection do not count, being bounded by a rule of their own. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rootFields: number;
  /** A field costs 1, a page its `first` when more than its total is asked for, and what is asked of the entries is multiplied by that. */
  readonly cost: number;
}

export interface DocumentLimits extends OperationLimits {
  /** Parsing and validating go as deep as a document does: without a bound, 100 KiB of brackets would use up the stack. */
  readonly tokens: number;
}
