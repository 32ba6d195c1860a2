import { ACCOUNT_EXAMPLES } from './examples/accounts.js';
import { ADMINISTRATION_EXAMPLES } from './examples/administration.js';
import type { ExampleOperation } from './examples/example-operation.js';
import { GROUP_EXAMPLES } from './examples/groups.js';
import { INVITATION_EXAMPLES } from './examples/invitations.js';
import welcome from './examples/welcome.graphql';

export interface ExampleGroup {
  readonly title: string;
  readonly operations: readonly ExampleOperation[];
}

/** The operation of the first tab. It has no variables, because GraphiQL shows none in the tab that it opens with. */
export const WELCOME: ExampleOperation = { query: welcome };

/** One example for each field of Query, Mutation and Subscription, at least. */
export const EXAMPLE_GROUPS: readonly ExampleGroup[] = [
  { title: 'Accounts and login', operations: ACCOUNT_EXAMPLES },
  { title: 'Groups and responses', operations: GROUP_EXAMPLES },
  { title: 'Invitations', operations: INVITATION_EXAMPLES },
  { title: 'Administration', operations: ADMINISTRATION_EXAMPLES },
];
