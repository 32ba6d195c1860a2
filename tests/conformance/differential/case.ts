import type { Caller, World } from './world.js';

/** The parameters of a GraphQL request, of any type, since some requests are wrong. */
export interface Parameters {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/** A request that every lane gets, with the objects of its own world. */
export interface GraphqlCase {
  readonly title: string;
  readonly caller: Caller;
  readonly parameters: (world: World) => Parameters;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the body that is made of the parameters, and is sent by POST only. */
  readonly body?: string;
  /** Whether a response by GET may differ from that by POST, because the request is a mutation or has another form. */
  readonly differsByGet?: boolean;
}
