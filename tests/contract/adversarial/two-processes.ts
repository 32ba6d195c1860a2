import { randomBytes } from 'node:crypto';
import { startTestService, type ServiceOptions, type TestService } from '../../support/service/test-service.js';

/** Two processes of one service: one database and one secret, one process for each GraphQL engine. */
export interface TwoProcesses {
  readonly here: TestService;
  readonly there: TestService;
  remove(): Promise<void>;
}

/** @param more options of the second process only */
export async function startTwoProcesses(
  { settings = {}, ...overrides }: ServiceOptions = {},
  more: ServiceOptions = {},
): Promise<TwoProcesses> {
  const shared = { ...settings, SERVER_SECRET: randomBytes(32).toString('base64') };
  const here = await startTestService({ ...overrides, settings: { ...shared, GRAPHQL_ENGINE: 'yoga' } });
  const there = await startTestService({
    ...overrides,
    ...more,
    settings: { ...shared, GRAPHQL_ENGINE: 'apollo', DATABASE_URL: here.databaseUrl },
  });
  return {
    here,
    there,
    remove: async () => {
      await there.remove();
      await here.remove();
    },
  };
}
