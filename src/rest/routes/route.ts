import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { Reason } from '../../errors/index.js';

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

export interface RestResponse<Body = unknown> {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of the created resource. */
  readonly location?: string;
  /** Path and query of the next page of a list; undefined on the last one. */
  readonly nextPage?: string | undefined;
}

/** The media types that a path accepts, by the kind of its body. */
export const BODY_MEDIA_TYPES = {
  none: [],
  json: ['application/json'],
  'json-or-merge-patch': ['application/json', 'application/merge-patch+json'],
  'json-or-form': ['application/json', 'application/x-www-form-urlencoded'],
} as const satisfies Record<string, readonly string[]>;

/** A GraphQL operation with the mapping of its variables and of its data. It contains no rule. */
export interface RestOperation<Data = unknown, Variables = unknown, Body = unknown> {
  readonly operation: TypedDocumentNode<Data, Variables>;
  /**
   * @throws InvalidInputError for a value whose format differs from GraphQL's, so that the operation cannot check it
   */
  readonly variables: (request: RestRequest) => Variables;
  readonly toResponse: (data: Data, request: RestRequest) => RestResponse<Body>;
}

/** One documented path. */
export interface RestRoute<Data = unknown, Variables = unknown, Body = unknown>
  extends RestOperation<Data, Variables, Body>, RouteContract<Body> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly needsToken: boolean;
  readonly body: keyof typeof BODY_MEDIA_TYPES;
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
  readonly variant: {
    readonly matches: (request: RestRequest) => boolean;
    readonly operation: RestOperation<unknown, unknown, Body>;
  } | null;
  /** REST name by GraphQL name, for the fields whose REST name is not their GraphQL name in snake case. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** True when errors have the members of RFC 6749, section 5.2, too. */
  readonly oauthErrors: boolean;
  /** Null unless the response is a list that can be longer than a page. */
  readonly list: PaginatedList<Data, Variables> | null;
}

/**
 * What the OpenAPI document states about a path besides its behaviour.
 *
 * The schemas describe requests and do not validate them, because the GraphQL operation does.
 */
interface RouteContract<Body> {
  readonly operationId: string;
  /** A few words without a full stop, shown on the start page too. */
  readonly summary: string;
  /** Sentences for client developers. */
  readonly description: string;
  /** The known query parameters; others are rejected. */
  readonly query: Readonly<Record<string, z.ZodType>>;
  /** The request headers with an effect on this path, besides those of every path. */
  readonly headers: Readonly<Record<string, z.ZodType>>;
  /** Null for a path without a body. */
  readonly requestSchema: z.ZodType | null;
  /** The body of a successful response. */
  readonly responseSchema: z.ZodType<Body>;
  /** The reasons of errors that only this path has, or that few paths have. */
  readonly reasons: readonly Reason[];
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

/** Returns the path as clients know it: `/api/groups/{group_id}/members`. */
export function pathTemplate({ path }: Pick<RestRoute, 'path'>): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

const DEFAULTS = {
  body: 'none',
  query: {},
  headers: {},
  requestSchema: null,
  reasons: [],
  success: 200,
  fieldNames: {},
  oauthErrors: false,
  list: null,
  variant: null,
  isRevalidated: false,
  conditions: <Variables>(_: RestRequest, variables: Variables): readonly Variables[] => [variables],
} as const;
type Defaulted = keyof typeof DEFAULTS;

/**
 * Checks the functions of a route against the types of its operation and of its response, then erases the types for the
 * route table.
 */
export function defineRoute<Data, Variables, Body>(
  route: Omit<RestRoute<Data, Variables, Body>, Defaulted> & Partial<Pick<RestRoute<Data, Variables, Body>, Defaulted>>,
): RestRoute {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a route gets only its own operation's data
  return { ...DEFAULTS, ...route } as RestRoute;
}

/** Does the same for an operation without a route. */
export function defineOperation<Data, Variables, Body>(
  operation: RestOperation<Data, Variables, Body>,
): RestOperation<unknown, unknown, Body> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- an operation gets only its own data
  return operation as RestOperation<unknown, unknown, Body>;
}
