import type { Services } from './suite.js';

/** One way through the service that GraphQL requests can take. All must give the same responses. */
export interface Lane {
  readonly name: string;
  readonly url: string;
}

/** The audits and the differential test run on each; the first is what the others are compared with. */
export function lanesOf({ yoga, apollo, direct }: Services): readonly [Lane, ...Lane[]] {
  return [
    { name: 'yoga', url: yoga.url },
    { name: 'apollo', url: apollo.url },
    { name: 'direct lane', url: direct.url },
  ];
}
