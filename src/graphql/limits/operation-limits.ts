/** Limits of one operation. Fragments count once per spread, and fields that `@skip` excludes count. */
export interface OperationLimits {
  /** Levels of nested fields. Introspection fields do not count, because a validation rule bounds them. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rootFields: number;
  /** A field costs 1. A page costs its `first`, and multiplies the cost of the fields of its entries by it. */
  readonly cost: number;
}

export interface DocumentLimits extends OperationLimits {
  /** Bounds the recursion of parsing and validation. Reason: 100 KiB of brackets would overflow the stack. */
  readonly tokens: number;
}
