import { mailOutboxDir } from '../../config/index.js';
import type { DemoRunner } from './demo-runner.js';
import { createDemoUsers } from './demo-users.js';
import { respondScenario } from './scenarios/answering.js';
import { changeRuleScenario } from './scenarios/changing-the-rule.js';
import { followUpScenario } from './scenarios/following-up.js';
import { inviteByMailScenario } from './scenarios/inviting-by-mail.js';
import { inviteScenario } from './scenarios/inviting.js';
import { readScenario } from './scenarios/reading.js';
import { registerScenario } from './scenarios/registering.js';
import { scoreScenario } from './scenarios/scoring.js';
import { signInScenario } from './scenarios/signing-in.js';
import { tokenReuseScenario } from './scenarios/stealing-a-token.js';
import { subscribeScenario } from './scenarios/watching.js';
import type { DemoService } from './stage.js';

/** From two strangers to a confirmed group with a score, and what can happen on the way. @throws UnexpectedResponseError */
export async function runDemo(play: DemoRunner, { core }: DemoService): Promise<void> {
  const people = createDemoUsers();
  await registerScenario(play, people);
  const signedIn = await signInScenario(play, people);
  const mails = core.settings.SMTP_URL === null ? mailOutboxDir(core.settings) : null;
  await followUpScenario(play, signedIn.ada, mails);
  const groupId = await inviteScenario(play, signedIn);
  await respondScenario(play, signedIn, groupId);
  await readScenario(play, signedIn, groupId);
  await scoreScenario(play, core, signedIn.grace, groupId);
  await changeRuleScenario(play, signedIn.ada, groupId);
  await subscribeScenario(play, signedIn, groupId);
  await inviteByMailScenario(play, signedIn.ada, people.linus, { groupId, outboxDir: mails });
  await tokenReuseScenario(play, people.grace);
}
