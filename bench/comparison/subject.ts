export const OPERATIONS = ['me', 'members', 'accepted-count', 'score', 'status', 'hot-group', 'login'] as const;
export type Operation = (typeof OPERATIONS)[number];

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
  readonly isRight: (body: never, i: number) => boolean;
}

/** A program that is measured. */
export interface Subject {
  readonly name: string;
  readonly description: string;
  /** Arguments of Node. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  readonly exchanges: Partial<Record<Operation, Exchange>>;
}
