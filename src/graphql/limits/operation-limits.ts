/** How large an operation may be. Fragments count wherever they are spread, and so does what `@skip` leaves out. */
export interface OperationLimits {
  /** Fields within each other; those of introspection do not count, being bounded by a rule of their own. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rootFields: number;
  /** A field costs 1, and what is asked of the entries of a list is multiplied by its `first`, or by 100 where it has none. */
  readonly cost: number;
}

export interface DocumentLimits extends OperationLimits {
  /** Parsing and validating go as deep as a document does: without a bound, 100 KiB of brackets would use up the stack. */
  readonly tokens: number;
}
