import { mailOutboxDir } from '../../config/index.js';
import type { DemoRunner } from './runner/demo-runner.js';
import { changeRuleScenario } from './scenarios/change-rule-scenario.js';
import { createDemoUsers } from './scenarios/demo-users.js';
import { followUpScenario } from './scenarios/follow-up-scenario.js';
import { inviteByMailScenario } from './scenarios/invite-by-mail-scenario.js';
import { inviteScenario } from './scenarios/invite-scenario.js';
import { readScenario } from './scenarios/read-scenario.js';
import { registerScenario } from './scenarios/register-scenario.js';
import { respondScenario } from './scenarios/respond-scenario.js';
import { scoreScenario } from './scenarios/score-scenario.js';
import { signInScenario } from './scenarios/sign-in-scenario.js';
import { subscribeScenario } from './scenarios/subscribe-scenario.js';
import { tokenReuseScenario } from './scenarios/token-reuse-scenario.js';
import type { DemoService } from './service/demo-service.js';

/** Runs all scenarios in order. @throws UnexpectedResponseError when a response is not the expected one */
export async function runDemo(runner: DemoRunner, { core }: DemoService): Promise<void> {
  const users = createDemoUsers();
  await registerScenario(runner, users);
  const signedIn = await signInScenario(runner, users);
  const outboxDir = core.settings.SMTP_URL === null ? mailOutboxDir(core.settings) : null;
  await followUpScenario(runner, signedIn.ada, outboxDir);
  const groupId = await inviteScenario(runner, signedIn);
  await respondScenario(runner, signedIn, groupId);
  await readScenario(runner, signedIn, groupId);
  await scoreScenario(runner, core, signedIn.grace, groupId);
  await changeRuleScenario(runner, signedIn.ada, groupId);
  await subscribeScenario(runner, signedIn, groupId);
  await inviteByMailScenario(runner, signedIn.ada, users.linus, { groupId, outboxDir: outboxDir });
  await tokenReuseScenario(runner, users.grace);
}
