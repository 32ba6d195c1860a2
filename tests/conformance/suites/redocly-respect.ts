import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from '../../support/service/test-users.js';
import { runRedocly } from '../rest/redocly.js';
import { createRestFixture } from '../rest/rest-fixture.js';
import type { Finding, Suite } from '../suite.js';

interface Step {
  readonly stepId: string;
  readonly checks: readonly { readonly name: string; readonly message: string; readonly status: string }[];
}

interface Report {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: readonly { readonly executedSteps: readonly Step[] }[] }>
  >;
}

const WORKFLOW = 'schema/workflows.arazzo.yaml';
/** The number of steps of the workflow. A failed step ends it. */
const STEPS = 15;

/** Runs the workflow of `schema` against the service. Each response is validated against the OpenAPI document. */
export const redoclyRespect: Suite = {
  name: 'redocly-respect',
  packages: ['@redocly/cli'],
  async run({ yoga }) {
    const { guest, groupId } = await createRestFixture(yoga);
    const inputs = {
      username: `w-${randomBytes(6).toString('hex')}`,
      password: PASSWORD,
      group_id: groupId,
      user_id: guest.id,
      token: guest.token,
    };
    const { steps, output } = await runWorkflow(inputs, yoga.url);
    const checks = steps.flatMap(({ stepId, checks }) => checks.map((check) => ({ stepId, ...check })));
    const failed = checks
      .filter(({ status }) => status !== 'success')
      .map(({ stepId, name, message }): Finding => ({ title: `${stepId}: ${name}`, reason: message }));
    if (failed.length === 0 && steps.length !== STEPS) failed.push({ title: 'the number of steps', reason: output });
    return { passed: checks.length - failed.length, failed, expected: [], skipped: [] };
  },
};

async function runWorkflow(
  inputs: object,
  url: string,
): Promise<{ readonly steps: readonly Step[]; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-respect-'));
  const file = join(folder, 'report.json');
  const { output } = await runRedocly(
    ...['respect', WORKFLOW, '--input', JSON.stringify(inputs), '--server', `convene=${url}`, '--json-output', file],
  );
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  await rm(folder, { recursive: true });
  const workflows = Object.values(report.files).flatMap(({ executedWorkflows }) => executedWorkflows);
  return { steps: workflows.flatMap(({ executedSteps }) => executedSteps), output };
}
