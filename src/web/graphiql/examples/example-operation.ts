/** An operation that a visitor of GraphiQL can open. Its first comment says what it does. */
export interface ExampleOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}
