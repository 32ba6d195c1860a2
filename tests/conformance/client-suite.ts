import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../support/service/test-users.js';
import { requestTokens, type Tokens } from './clients/session.js';
import type { Finding, Service, Services, Suite } from './suite.js';

/** What each check of a client finds: a group with a quorum of 2, whose owner has accepted and whose guest has not. */
export interface Scenario {
  readonly services: Services;
  readonly service: Service;
  readonly url: string;
  readonly owner: TestUser;
  readonly guest: TestUser;
  readonly groupId: string;
}

/** By title. A check that rejects has failed. */
export type Checks = Readonly<Record<string, (scenario: Scenario) => Promise<void>>>;

/** A check that a client cannot end waits no longer. */
const CHECK_TIMEOUT_MS = 90_000;

/** Creates a suite that runs the checks on each engine, each with users and a group of its own. */
export function clientSuite(name: string, packages: readonly string[], checks: Checks): Suite {
  return {
    name,
    packages,
    async run(services) {
      const findings = [
        ...(await runChecks(services, services.yoga, checks)),
        ...(await runChecks(services, services.apollo, checks)),
      ];
      const failed = findings.filter((finding) => finding !== null);
      return { passed: findings.length - failed.length, failed, expected: [], skipped: [] };
    },
  };
}

async function runChecks(services: Services, service: Service, checks: Checks): Promise<(Finding | null)[]> {
  const findings: (Finding | null)[] = [];
  for (const [title, check] of Object.entries(checks)) {
    const outcome = await Promise.race([runCheck(services, service, check), timeout()]);
    findings.push(outcome === null ? null : { title: `${service.engine}: ${title}`, reason: outcome });
  }
  return findings;
}

/** Returns why the check has failed; null when it has passed. */
async function runCheck(services: Services, service: Service, check: Checks[string]): Promise<string | null> {
  try {
    await check(await createScenario(services, service));
    return null;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function timeout(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, CHECK_TIMEOUT_MS, `no result within ${String(CHECK_TIMEOUT_MS / 1_000)} s`).unref();
  });
}

async function createScenario(services: Services, service: Service): Promise<Scenario> {
  const [owner, guest] = await Promise.all([registerUser(service), registerUser(service)]);
  const groupId = await createGroupViaApi(owner, [guest], { quorum: 2 });
  return { services, service, url: service.url, owner, guest, groupId };
}

/** Logs a user of a scenario in, as the documented clients do. */
export function logIn(url: string, { username }: TestUser): Promise<Tokens> {
  return requestTokens(url, { username, password: PASSWORD });
}
