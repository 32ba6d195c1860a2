import { serverAudits, type Audit } from 'graphql-http';
import { lanesOf, type Lane } from '../lanes.js';
import type { Finding, Suite } from '../suite.js';

/** The number of audits in the pinned version. Fewer would mean that some did not run. */
const AUDITS = 61;

/** The audits of the specification GraphQL over HTTP, on each lane. */
export const graphqlHttp: Suite = {
  name: 'graphql-http',
  packages: ['graphql-http'],
  async run(services) {
    const results: AuditResult[] = [];
    for (const lane of lanesOf(services)) results.push(await audit(lane));
    return {
      passed: results.reduce((sum, { passed }) => sum + passed, 0),
      failed: results.flatMap(({ failed }) => failed),
      expected: [],
      skipped: [],
    };
  },
};

interface AuditResult {
  readonly passed: number;
  readonly failed: readonly Finding[];
}

async function audit({ url, name }: Lane): Promise<AuditResult> {
  const audits = serverAudits({ url: `${url}/graphql`, fetchFn: fetch });
  const findings = await Promise.all(audits.map((each) => run(each, name)));
  const failed = findings.filter((finding) => finding !== null);
  return { passed: audits.length - failed.length, failed: [...failed, ...countAudits(audits.length, name)] };
}

/** A warning ("should" of the specification) counts as a failure. */
async function run({ id, name, fn }: Audit, lane: string): Promise<Finding | null> {
  const result = await fn();
  return result.status === 'ok'
    ? null
    : { title: `${lane}: ${id} ${name}`, reason: `${result.status}: ${result.reason}` };
}

function countAudits(count: number, lane: string): Finding[] {
  return count === AUDITS
    ? []
    : [{ title: `${lane}: number of audits`, reason: `${String(count)} instead of ${String(AUDITS)}` }];
}
