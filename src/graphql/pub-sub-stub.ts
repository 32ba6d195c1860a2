import type { PubSub } from 'type-graphql';

/** type-graphql asks for one as soon as there is a subscription; ours read the history of what they tell, and need none. */
export const PUB_SUB_STUB: PubSub = {
  publish: refuse,
  subscribe: refuse,
};

function refuse(): never {
  throw new Error('A subscription names the function that begins it: nothing is published by topics here.');
}
