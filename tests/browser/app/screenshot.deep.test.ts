import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from '@jest/globals';
import { createGroupViaApi, registerUser, type TestUser } from '../../support/service/test-users.js';
import { describeInBrowser } from '../chromium.js';
import { heading, useApp } from './app-fixture.js';

const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const UPDATE_PROFILE = 'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }';
const ANSWER = 'mutation ($input: UpdateMemberStatusInput!) { updateMemberStatus(input: $input) { changed } }';
const GROUP = {
  name: 'Choir weekend by the lake',
  description: 'Two days of Monteverdi. We need six voices to rent the house.',
  quorum: 6,
  respondBy: '2035-06-01T18:00:00.000Z',
};

/** Writes the picture of the documentation: `npm run test:deep -- tests/browser/app/screenshot`. */
describeInBrowser('the screenshot of a group', () => {
  const app = useApp();

  async function named(username: string, displayName: string): Promise<TestUser> {
    const user = await registerUser(app.service, username);
    await user.data(UPDATE_PROFILE, { input: { displayName } });
    return user;
  }

  it('is written to docs/images/app-group.png', async () => {
    const owner = await named('ada', 'Ada Lindgren');
    const bo = await named('bosse', 'Bo Eriksson');
    const chiara = await named('chiara', 'Chiara Conti');
    const dara = await named('dara', 'Dara O’Neill');
    const emre = await named('emre', 'Emre Yılmaz');
    const groupId = await createGroupViaApi(owner, [bo, chiara, dara, emre], GROUP);
    const page = await app.openAs(chiara, `/app/groups/${groupId}`, {
      viewport: { width: 900, height: 1_120 },
      deviceScaleFactor: 1,
    });
    await page.getByText('Live', { exact: true }).waitFor();
    for (const [user, status] of [
      [bo, 'ACCEPTED'],
      [dara, 'TENTATIVE'],
      [chiara, 'ACCEPTED'],
    ] as const)
      await user.data(ANSWER, { input: { groupId, userId: user.id, status } });
    await page.getByText('Chiara Conti accepted.').waitFor();
    await page.locator('.members').getByText('Accepted').nth(2).waitFor();
    await heading(page, GROUP.name).evaluate((element) => {
      element.blur();
    });
    mkdirSync(IMAGES, { recursive: true });
    await page.screenshot({ path: `${IMAGES}app-group.png` });
  });
});
