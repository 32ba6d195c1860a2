import { HeaderMap, type ApolloServer, type BaseContext } from '@apollo/server';
import type { Engine, EngineRequest, EngineResponse } from './engine.js';
import { JSON_MEDIA_TYPE } from './response-status.js';

type HttpBody = Awaited<ReturnType<ApolloServer['executeHTTPGraphQLRequest']>>['body'];

/** Returns the context of the resolvers and plugins of Apollo Server. */
type ContextOf<Context> = (request: EngineRequest) => Promise<Context>;

/** Creates an engine of a started Apollo Server, whatever its schema, plugins and options. */
export function mountApolloServer<Context extends BaseContext>(
  apollo: ApolloServer<Context>,
  contextOf: ContextOf<Context>,
): Engine {
  return {
    handle: (request) => run(apollo, request, contextOf),
    stop: () => apollo.stop(),
  };
}

/** Passes the request as POST with JSON, whose body Apollo Server takes as an object. */
async function run<Context extends BaseContext>(
  apollo: ApolloServer<Context>,
  request: EngineRequest,
  contextOf: ContextOf<Context>,
): Promise<EngineResponse> {
  const { query, operationName, variables, extensions, mediaType } = request;
  const {
    status = 200,
    headers,
    body,
  } = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: 'POST',
      headers: new HeaderMap([
        ['accept', mediaType],
        ['content-type', JSON_MEDIA_TYPE],
      ]),
      search: '',
      body: { query, operationName, variables, extensions },
    },
    context: () => contextOf(request),
  });
  return { status, headers: Object.fromEntries(headers), body: textOf(body) };
}

function textOf(body: HttpBody): string {
  if (body.kind === 'complete') return body.string;
  throw new Error('Apollo Server response is incremental, although the schema has no @defer or @stream');
}
