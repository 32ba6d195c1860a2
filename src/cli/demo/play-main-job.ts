import { mailOutboxDir } from '../../config/index.js';
import { createDemoUsers } from './people.js';
import type { DemoRunner } from './play.js';
import { respondScenario } from './scenes/answering.js';
import { changeRuleScenario } from './scenes/changing-the-rule.js';
import { followUpScenario } from './scenes/following-up.js';
import { inviteByMailScenario } from './scenes/inviting-by-mail.js';
import { inviteScenario } from './scenes/inviting.js';
import { readScenario } from './scenes/reading.js';
import { registerScenario } from './scenes/registering.js';
import { scoreScenario } from './scenes/scoring.js';
import { signInScenario } from './scenes/signing-in.js';
import { tokenReuseScenario } from './scenes/stealing-a-token.js';
import { subscribeScenario } from './scenes/watching.js';
import type { DemoService } from './stage.js';

/** From two strangers to a confirmed group with a score, and what can happen on the way. @throws WrongAnswer */
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
