import type { ExpectedFailures } from '../expected-failures.js';

const DOCUMENTED = 'docs/graphql.md, "Endpoint"';

/** Each group names what the endpoint follows instead of the suite. */
export const EXPECTED_FAILURES: readonly ExpectedFailures[] = [
  {
    reason:
      'GraphQL over HTTP, "Status Codes", application/json: 200 for every response to a well-formed request. ' +
      'application/graphql-response+json gets 400.',
    message: /Expected: 400\s+Received: 200/,
    titles: inHttp([
      'graphqlHTTP returns an error on parse failure',
      'graphqlHTTP returns an error on validation failure',
      'graphqlHTTP unknown operation name returns 400 and OPERATION_RESOLUTION_FAILURE',
      'graphqlHTTP unknown operation name returns 400 and OPERATION_RESOLUTION_FAILURE for GET requests',
      'graphqlHTTP multiple operations with no `operationName` specified returns 400 and OPERATION_RESOLUTION_FAILURE',
      'graphqlHTTP formatError receives correct error for parse failure',
    ]),
  },
  {
    reason: 'RFC 9110, section 15.5.16: another media type of the body is 415.',
    message: /Expected: 400\s+Received: 415|Expected value: 415\s+Received array: \[400\]/,
    titles: [
      ...inHttp([
        'graphqlHTTP throws an error if POST body is empty',
        'graphqlHTTP throws an error if invalid content-type',
      ]),
      ...inServer(['CSRF prevention default']),
    ],
  },
  {
    reason: 'RFC 9110, section 9.1: a server supports HEAD where it supports GET. Here the query is missing.',
    message: /Expected: 405\s+Received: 400/,
    titles: inHttp(['graphqlHTTP rejects the request if the method is not POST or GET']),
  },
  {
    reason:
      'GraphQL, section 7.1.2: message and extensions are those of the service. The status is that of the suite, or ' +
      '415 for another media type (RFC 9110, section 15.5.16).',
    message: /"(code|reason)\\?": ?\\?"(MALFORMED_REQUEST|UNSUPPORTED_MEDIA_TYPE|INVALID_INPUT)\\?"/,
    titles: [
      ...inHttp([
        'graphqlHTTP throws an error if POST operation is missing',
        'graphqlHTTP throws an error if POST operation is empty',
        'graphqlHTTP throws an error if GET query is missing',
        'graphqlHTTP throws an error if GET request has a non-application/json content-type',
        'graphqlHTTP throws an error if GET request has a non-preflighted non-application/json content-type',
        'graphqlHTTP throws an error if GET request has a malformed content-type',
        'graphqlHTTP does not accept multiple query search parameters',
        'graphqlHTTP POST does not handle a request with variables as string',
        'graphqlHTTP POST does not handle a request with extensions as string',
        'graphqlHTTP does not accept a query AST',
        'graphqlHTTP returns an error on batch requests with no elements',
        'graphqlHTTP disables batch requests by default',
      ]),
      ...inServer([
        'Gateway receives schema updates from the gateway (with document store: true)',
        'Gateway receives schema updates from the gateway (with document store: false)',
      ]),
    ],
  },
  {
    reason: 'GraphQL, section 7.1.2: the message is that of the service ("The body is not valid JSON.").',
    message: /Expected: true\s+Received: false/,
    titles: inHttp(['graphqlHTTP throws an error if POST JSON is malformed']),
  },
  {
    reason: 'GraphQL over HTTP, "GET": a mutation is 405. The endpoint answers before a plugin of Apollo Server can.',
    message: /GET requests only support query operations[^]*Number of calls: 0/,
    titles: inHttp([
      'graphqlHTTP throws error if trying to use mutation using GET request',
      'graphqlHTTP throws error if trying to use mutation with fragment using GET request',
    ]),
  },
  {
    reason:
      'docs/decisions/0030: the endpoint answers invalid documents, so that both engines give the same response. ' +
      'Plugins of Apollo Server do not see them.',
    message: /ObjectContaining \{"myExtension": true\}\s+Received: undefined|Exceeded timeout of \d+ ms/,
    titles: inServer([
      'Plugins preserves user-added "extensions" in the response when parsing errors occur',
      'Plugins preserves user-added "extensions" in the response when validation errors occur',
      'lifecycle for Apollo usage reporting traces sets the trace key to unknown operation for missing operation',
      'lifecycle for Apollo usage reporting traces sets the trace key to parse failure when non-parsable gql',
      'lifecycle for Apollo usage reporting traces sets the trace key to validation failure when invalid operation',
    ]),
  },
  {
    reason:
      `${DOCUMENTED}: automatic persisted queries are not supported. A request without a document is 400 (GraphQL ` +
      'over HTTP, "Request Parameters"), with the message and the code by which clients send the document.',
    message: new RegExp(
      [
        'Received: "PersistedQueryNotSupported"',
        '"code": "PERSISTED_QUERY_NOT_SUPPORTED"',
        'Expected: 200\\s+Received: 400',
        'Expected: {"testString": "[^"]+"}\\s+Received: undefined',
        "Cannot read properties of undefined \\(reading 'data'\\)",
      ].join('|'),
    ),
    titles: [
      ...inHttp([
        'graphqlHTTP returns PersistedQueryNotSupported to a GET request if PQs disabled',
        'graphqlHTTP returns PersistedQueryNotSupported to a POST request if PQs disabled',
        'graphqlHTTP returns PersistedQueryNotFound to a GET request',
        'graphqlHTTP returns PersistedQueryNotFound to a POST request',
        'Persisted Queries returns PersistedQueryNotFound on the first try',
        'Persisted Queries returns with batched persisted queries',
        'Persisted Queries returns result on the persisted query',
        'Persisted Queries returns correct result using get request',
      ]),
      ...inServer([
        "lifecycle for Apollo usage reporting traces doesn't internal server error on an APQ",
        'Persisted Queries returns PersistedQueryNotFound on the first try',
        'Persisted Queries returns result on the persisted query',
      ]),
    ],
  },
  {
    reason:
      `${DOCUMENTED}: automatic persisted queries are not supported. A document runs, and a hash beside it is ` +
      'neither stored nor compared.',
    message: new RegExp(
      [
        'Expected: 400\\s+Received: 200',
        'Expected: "apq:[^]*Number of calls: 0',
        'Expected number of calls: 1\\s+Received number of calls: 0',
        '"status": 200',
        'toBeDefined\\(\\)\\s+Received: undefined',
      ].join('|'),
    ),
    titles: [
      ...inHttp([
        'Persisted Queries when ttlSeconds is set, passes ttl to the apq cache set call',
        'Persisted Queries when ttlSeconds is unset, ttl is not passed to apq cache',
        'Persisted Queries errors when version is not specified',
        'Persisted Queries errors when version is unsupported',
        'Persisted Queries errors when hash is mismatched',
        'Persisted Queries returns result on the second try',
        'Persisted Queries returns error when hash does not match',
      ]),
      ...inServer(['Persisted Queries returns error when hash does not match']),
    ],
  },
  {
    reason: `GraphQL over HTTP, "JSON Encoding": a request is one object. ${DOCUMENTED}: arrays are rejected.`,
    message: /Expected: 200\s+Received: 400|Expected: 1\s+Received: 0/,
    titles: inHttp([
      'graphqlHTTP cache-control applies cacheControl Headers for batched operation',
      'graphqlHTTP can handle batch requests',
      'graphqlHTTP can handle batch requests with one element',
      'graphqlHTTP can handle batch requests in parallel',
      'graphqlHTTP clones batch context',
      'graphqlHTTP executes batch context if it is a function',
    ]),
  },
  {
    reason: `${DOCUMENTED}: a browser gets GraphiQL, not the landing page of Apollo Server.`,
    message: /<!doctype html>|, got 200 "OK"/,
    titles: inServer([
      'renderLandingPage defaults to LocalDefault',
      'renderLandingPage can specify version for LocalDefault',
      'renderLandingPage can be disabled',
      'renderLandingPage basic functionality basic GET works',
      'renderLandingPage basic functionality basic GET works with more complex header',
      'renderLandingPage async `html` function returns a string',
      'renderLandingPage async `html` function throws',
    ]),
  },
  {
    reason:
      'RFC 9110, section 9.2.1: GET is safe, runs no mutation, and needs no header. A token is never sent by the ' +
      'browser itself (RFC 6750, section 2.1), so a page of another origin reads and changes nothing.',
    message: /Expected value: 200\s+Received array: \[400\]/,
    titles: inServer(['CSRF prevention csrfPrevention: {requestHeaders}']),
  },
  {
    reason: 'RFC 9111, section 5.2.2.5: responses may be personal, so each is "no-store".',
    message: /Received: "no-store"/,
    titles: inHttp([
      'graphqlHTTP cache-control runs when cache-control is disabled',
      'graphqlHTTP cache-control not set without any hints with if-cacheable',
    ]),
  },
  {
    reason:
      'GraphQL over HTTP, "Body": 406 for media types that are not supported. The schema has neither @defer nor ' +
      '@stream, so no response is incremental.',
    message: /Expected: 200\s+Received: 406|Exceeded timeout of \d+ ms/,
    titles: inHttp(
      ['legacy incremental', 'graphql@17.0.0-alpha.9'].flatMap((format) => [
        `incremental delivery mocked execution basic @defer working ${format}`,
        `incremental delivery mocked execution first payload sent while deferred field is blocking ${format}`,
      ]),
    ),
  },
  {
    reason:
      'docs/decisions/0030: an engine gets the parsed request without its headers. The federated traces of Apollo ' +
      'Server, which a header would request, are no part of the GraphQL over HTTP specification.',
    message: /reading 'ftv1'/,
    titles: inServer(
      ['nullable _Service.sdl field', 'non-nullable _Service.sdl! field'].flatMap((schema) => [
        `Federated tracing with ${schema} reports a total duration that is longer than the duration of its resolvers`,
        `Federated tracing with ${schema} includes errors in federated trace`,
      ]),
    ),
  },
];

function inHttp(titles: readonly string[]): string[] {
  return titles.map((title) => `integration tests httpServerTests.ts ${title}`);
}

function inServer(titles: readonly string[]): string[] {
  return titles.map((title) => `integration tests apolloServerTests.ts ${title}`);
}
