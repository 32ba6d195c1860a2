import assert from 'node:assert/strict';
import { createClient } from 'graphql-sse';
import { renameGroup, respondToGroup } from '../../support/http/test-subscription.js';
import { clientSuite, logIn, type Scenario } from '../client-suite.js';
import { watchGroup, type Change } from '../clients/graphql-sse.js';
import { createSession, withToken } from '../clients/session.js';
import { ME, RESPOND, type RespondData } from '../operations.js';

export const graphqlSse = clientSuite('graphql-sse', ['graphql-sse'], {
  'logs in and queries': async (scenario) => {
    const { data } = await once<{ me: { username: string } }>(scenario, ME);
    assert.equal(data?.me.username, scenario.owner.username);
  },

  'sends a mutation, and returns the reason of an error': async (scenario) => {
    const variables = { groupId: scenario.groupId, userId: scenario.guest.id, status: 'ACCEPTED' };
    const { errors } = await once<RespondData>(scenario, RESPOND, variables);
    assert.equal(errors?.[0]?.extensions['reason'], 'NOT_YOUR_MEMBERSHIP');
  },

  'receives live changes': async (scenario) => {
    const changes = watchGroup(scenario.url, await fetchAs(scenario), scenario.groupId, 0);
    assert.deepEqual(await take(changes, 2), ['CREATED', 'INVITED']);
    await respondToGroup(scenario.guest, scenario.groupId, 'ACCEPTED');
    assert.deepEqual(await take(changes, 1), ['RESPONSE']);
    await changes.return();
  },

  'continues after the service has restarted, without a gap': async (scenario) => {
    const { services, service, groupId, owner } = scenario;
    const first = await services.start({ GRAPHQL_ENGINE: service.engine });
    const settings = { GRAPHQL_ENGINE: service.engine, PORT: new URL(first.url).port };
    const changes = watchGroup(first.url, await fetchAs(scenario), groupId, 0);
    assert.deepEqual(await take(changes, 2), ['CREATED', 'INVITED']);
    const next = take(changes, 2);
    await first.stop();
    await renameGroup(owner, groupId, 'Meanwhile');
    const second = await services.start(settings);
    await renameGroup(owner, groupId, 'Afterwards');
    assert.deepEqual(await next, ['RENAMED', 'RENAMED']);
    await changes.return();
    await second.stop();
  },

  'ends with the reason when the group is not visible': async (scenario) => {
    const changes = watchGroup(scenario.url, await fetchAs(scenario), scenario.owner.id, 0);
    await assert.rejects(changes.next(), AggregateError);
  },
});

async function fetchAs({ url, owner }: Scenario): Promise<typeof fetch> {
  return withToken(createSession(url, await logIn(url, owner)));
}

/** Returns the only result of an operation. */
async function once<Data>(scenario: Scenario, query: string, variables: Record<string, unknown> = {}) {
  const client = createClient({ url: `${scenario.url}/graphql`, fetchFn: await fetchAs(scenario), retryAttempts: 0 });
  const results = [];
  for await (const result of client.iterate<Data>({ query, variables })) results.push(result);
  assert.equal(results.length, 1);
  return results[0] ?? {};
}

async function take(changes: AsyncGenerator<Change, void>, count: number): Promise<unknown[]> {
  const causes = [];
  while (causes.length < count) {
    const { value } = await changes.next();
    causes.push(value?.cause);
  }
  return causes;
}
