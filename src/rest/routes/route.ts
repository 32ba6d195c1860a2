import type { TypedDocumentNode } from '@graphql-typed-document-node/core';

/** A parsed request. */
export interface RestRequest {
  /** The path as it was requested, without its query and the base path. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  readonly body: Readonly<Record<string, unknown>>;
  /** The header If-Match; undefined without it. */
  readonly ifMatch: string | undefined;
}

export type QueryParameters = Readonly<Record<string, string>>;

export interface RestResponse {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of the created resource. */
  readonly location?: string;
  /** Path and query of the next page of a list; undefined on the last one. */
  readonly nextPage?: string | undefined;
}

/** The media types that a path accepts. */
export type BodyKind = 'none' | 'json' | 'json-or-merge-patch' | 'json-or-form';

/** A GraphQL operation with the mapping of its variables and of its data. It contains no rule. */
export interface RestOperation<Data = unknown, Variables = unknown> {
  readonly operation: TypedDocumentNode<Data, Variables>;
  /**
   * @throws InvalidInputError for a value whose format differs from GraphQL's, so that the operation cannot check it
   */
  readonly variables: (request: RestRequest) => Variables;
  readonly toResponse: (data: Data, request: RestRequest) => RestResponse;
}

/** One documented path. */
export interface RestRoute<Data = unknown, Variables = unknown> extends RestOperation<Data, Variables> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** One sentence, shown on the start page. */
  readonly summary: string;
  readonly needsToken: boolean;
  readonly body: BodyKind;
  /** The known query parameters; others are rejected. */
  readonly query: readonly string[];
  readonly success: 200 | 201;
  /** True when a client may store the response and revalidate it; false forbids storing. */
  readonly isRevalidated: boolean;
  /**
   * Returns the variables for each condition of If-Match, at least one. They are tried in order until one does not fail
   * with 412.
   *
   * @throws HttpError `MALFORMED_REQUEST`
   */
  readonly conditions: (request: RestRequest, variables: Variables) => readonly Variables[];
  /** Another operation for the requests that match; null when all requests run the same operation. */
  readonly variant: { readonly matches: (request: RestRequest) => boolean; readonly operation: RestOperation } | null;
  /** REST name by GraphQL name, for the fields whose REST name is not their GraphQL name in snake case. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** True when errors have the members of RFC 6749, section 5.2, too. */
  readonly oauthErrors: boolean;
  /** Null unless the response is a list that can be longer than a page. */
  readonly list: PaginatedList<Data, Variables> | null;
}

/** How a list is read to its end page by page, and serialized. */
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

/** Checks the functions of a route against the types of its operation, then erases the types for the route table. */
export function defineRoute<Data, Variables>(
  route: Omit<RestRoute<Data, Variables>, Defaulted> & Partial<Pick<RestRoute<Data, Variables>, Defaulted>>,
): RestRoute {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a route gets only its own operation's data
  return { ...DEFAULTS, ...route } as RestRoute;
}

/** Does the same for an operation without a route. */
export function defineOperation<Data, Variables>(operation: RestOperation<Data, Variables>): RestOperation {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- an operation gets only its own data
  return operation as RestOperation;
}
