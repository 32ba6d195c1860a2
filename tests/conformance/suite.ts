/** A service that runs as `npm start` would run it, as a process of its own. */
export interface Service {
  /** Base URL, without a slash at its end. Also the issuer of its tokens. */
  readonly url: string;
  readonly engine: 'yoga' | 'apollo';
  /** What the process has printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Three services on one database, in development mode and without rate limits. */
export interface Services {
  /** All requests go through GraphQL Yoga. */
  readonly yoga: Service;
  /** All requests go through Apollo Server. */
  readonly apollo: Service;
  /** The default settings: requests by POST bypass the engine. */
  readonly direct: Service;
  /** For commands of the CLI and for statements of a suite. */
  readonly databaseUrl: string;
  /** Data folder of all services. Their mails are in `outbox`. */
  readonly dataDir: string;
  /** Starts a further service on the same database, which the suite stops. */
  start(settings: Readonly<Record<string, string>>): Promise<Service>;
}

export interface Suite {
  readonly name: string;
  /** npm packages whose versions are printed. */
  readonly packages: readonly string[];
  run(services: Services): Promise<SuiteResult>;
}

export interface SuiteResult {
  readonly passed: number;
  /** Not explained. Each fails the run. */
  readonly failed: readonly Finding[];
  /** The reason cites the specification that the service follows instead. */
  readonly expected: readonly Finding[];
  readonly skipped: readonly Finding[];
  /** Why the suite could not run at all. Fails the run with `TEST_PROGRAMS=required`. */
  readonly notRun?: string;
}

export interface Finding {
  readonly title: string;
  readonly reason: string;
}
