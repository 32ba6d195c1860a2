export const OPERATIONS = [
  'me',
  'members',
  'accepted-count',
  'score',
  'status',
  'hot-group',
  'login',
  'register',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export const READS: readonly Operation[] = ['me', 'members', 'accepted-count', 'score'];

/** Operations whose cost is the hash of a password. */
export const HASHED: readonly Operation[] = ['login', 'register'];

export interface BenchRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How a subject is asked for one operation, and how its answers are checked. */
export interface Exchange {
  /** @param i number of the request; the same number gives the same request */
  readonly request: (i: number) => BenchRequest;
  /** The same request of a user who is not in the group; absent when the program checks no access. */
  readonly strangerRequest?: (i: number) => BenchRequest;
  readonly isRight: (body: never, i: number) => boolean;
  /** HTTP status of a right answer. Default 200. */
  readonly status?: number;
}

export type Exchanges = Partial<Record<Operation, Exchange>>;
