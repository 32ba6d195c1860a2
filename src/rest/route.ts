import type { TypedDocumentNode } from '@graphql-typed-document-node/core';

/** What a row reads its variables from. */
export interface RestRequest {
  /** The path as it was requested, without its query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  readonly body: Readonly<Record<string, unknown>>;
  /** The header If-Match; undefined without one. */
  readonly ifMatch: string | undefined;
}

export type QueryParameters = Readonly<Record<string, string>>;

export interface RestResponse {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a body may be sent. */
export type BodyKind = 'none' | 'json' | 'json-or-merge-patch' | 'json-or-form';

/** What a path runs: an operation, its variables, and the shape of its answer. It decides nothing. */
export interface RestOperation<Data = unknown, Variables = unknown> {
  readonly operation: TypedDocumentNode<Data, Variables>;
  /** @throws InvalidInputError for what REST spells otherwise than GraphQL and so must check itself. */
  readonly variables: (request: RestRequest) => Variables;
  readonly answer: (data: Data, request: RestRequest) => RestResponse;
}

/** One documented path. */
export interface RestRoute<Data = unknown, Variables = unknown> extends RestOperation<Data, Variables> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly needsToken: boolean;
  readonly body: BodyKind;
  /** The query parameters that it knows; others are refused. */
  readonly query: readonly string[];
  readonly success: 200 | 201;
  /** Whether a client may keep the response and have it revalidated; otherwise it is stored nowhere. */
  readonly isRevalidated: boolean;
  /**
   * The variables under each condition of If-Match, at least one, to be tried in order until one does not fail with 412.
   *
   * @throws HttpError `MALFORMED_REQUEST`
   */
  readonly conditions: (request: RestRequest, variables: Variables) => readonly Variables[];
  /** What it runs instead for the requests that this fits; null where every request runs the same. */
  readonly variant: { readonly matches: (request: RestRequest) => boolean; readonly operation: RestOperation } | null;
  /** What GraphQL calls a field, and REST another way than by snake_case. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** Errors carry the members of RFC 6749 section 5.2 too. */
  readonly oauthErrors: boolean;
  /** Present on a path whose answer is a list that may be longer than a page. */
  readonly list: PaginatedList<Data, Variables> | null;
}

/** How a list without a limit is read to its end, page by page. */
export interface PaginatedList<Data, Variables> {
  readonly isComplete: (request: RestRequest) => boolean;
  readonly next: (data: Data, variables: Variables) => Variables | null;
  readonly head: (data: Data) => Readonly<Record<string, unknown>>;
  readonly member: string;
  readonly items: (data: Data) => readonly unknown[];
  readonly tail: Readonly<Record<string, unknown>>;
}

const DEFAULTS = {
  body: 'none',
  query: [],
  success: 200,
  fieldNames: {},
  oauthErrors: false,
  list: null,
  variant: null,
  isRevalidated: false,
  conditions: <Variables>(_: RestRequest, variables: Variables): readonly Variables[] => [variables],
} as const;
type Defaulted = keyof typeof DEFAULTS;

/** Checks a row's functions against the types of its own operation, then forgets them: rows of all kinds stand in one table. */
export function defineRoute<Data, Variables>(
  route: Omit<RestRoute<Data, Variables>, Defaulted> & Partial<Pick<RestRoute<Data, Variables>, Defaulted>>,
): RestRoute {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the adapter hands each row only the data of its own operation
  return { ...DEFAULTS, ...route } as RestRoute;
}

/** The same for an operation by itself. */
export function defineOperation<Data, Variables>(operation: RestOperation<Data, Variables>): RestOperation {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the adapter hands each operation only its own data
  return operation as RestOperation;
}
