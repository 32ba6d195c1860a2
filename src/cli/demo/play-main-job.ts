import { outboxDir } from '../../config/index.js';
import { newPeople } from './people.js';
import type { Play } from './play.js';
import { answering } from './scenes/answering.js';
import { changingTheRule } from './scenes/changing-the-rule.js';
import { followingUp } from './scenes/following-up.js';
import { invitingByMail } from './scenes/inviting-by-mail.js';
import { inviting } from './scenes/inviting.js';
import { reading } from './scenes/reading.js';
import { registering } from './scenes/registering.js';
import { scoring } from './scenes/scoring.js';
import { signingIn } from './scenes/signing-in.js';
import { stealingAToken } from './scenes/stealing-a-token.js';
import { watching } from './scenes/watching.js';
import type { Stage } from './stage.js';

/** From two strangers to a confirmed group with a score, and what can happen on the way. @throws WrongAnswer */
export async function playMainJob(play: Play, { core }: Stage): Promise<void> {
  const people = newPeople();
  await registering(play, people);
  const signedIn = await signingIn(play, people);
  const mails = core.settings.SMTP_URL === null ? outboxDir(core.settings) : null;
  await followingUp(play, signedIn.ada, mails);
  const groupId = await inviting(play, signedIn);
  await answering(play, signedIn, groupId);
  await reading(play, signedIn, groupId);
  await scoring(play, core, signedIn.grace, groupId);
  await changingTheRule(play, signedIn.ada, groupId);
  await watching(play, signedIn, groupId);
  await invitingByMail(play, signedIn.ada, people.linus, { groupId, outboxDir: mails });
  await stealingAToken(play, people.grace);
}
