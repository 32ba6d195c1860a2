import { serverAudits, type Audit } from 'graphql-http';
import type { Finding, Service, Suite } from '../suite.js';

/** The number of audits in the pinned version. Fewer would mean that some did not run. */
const AUDITS = 61;

/** The audits of the specification GraphQL over HTTP, on each engine and on the direct lane. */
export const graphqlHttp: Suite = {
  name: 'graphql-http',
  packages: ['graphql-http'],
  async run({ yoga, apollo, direct }) {
    const results = [
      await auditService('yoga', yoga),
      await auditService('apollo', apollo),
      await auditService('direct lane', direct),
    ];
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

async function auditService(engine: string, { url }: Service): Promise<AuditResult> {
  const audits = serverAudits({ url: `${url}/graphql`, fetchFn: fetch });
  const findings = await Promise.all(audits.map((audit) => run(audit, engine)));
  const failed = findings.filter((finding) => finding !== null);
  return { passed: audits.length - failed.length, failed: [...failed, ...countAudits(audits.length, engine)] };
}

/** A warning ("should" of the specification) counts as a failure. */
async function run(audit: Audit, engine: string): Promise<Finding | null> {
  const result = await audit.fn();
  return result.status === 'ok'
    ? null
    : { title: `${engine}: ${audit.id} ${audit.name}`, reason: `${result.status}: ${result.reason}` };
}

function countAudits(count: number, engine: string): Finding[] {
  return count === AUDITS
    ? []
    : [{ title: `${engine}: number of audits`, reason: `${String(count)} instead of ${String(AUDITS)}` }];
}
