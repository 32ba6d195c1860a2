/** What stands between the service and PostgreSQL: nothing, or a pooler such as PgBouncer in one of its modes. */
export type Pooler = 'none' | 'session' | 'transaction';

/** Where a database is, and what stands in front of it. */
export interface DatabaseAddress {
  readonly url: string;
  /** `none` by default. */
  readonly pooler?: Pooler | undefined;
}

export interface ClientOptions extends DatabaseAddress {
  /** Distinguishes the connections of the service in `pg_stat_activity`; empty for those of the main pool. */
  readonly purpose: string;
  /** Settings of the server for the session. A transaction pooler cannot keep them, so that its server's apply. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Milliseconds without a byte from the server after which a pending statement fails; none by default. */
  readonly silenceLimitMs?: number;
}
