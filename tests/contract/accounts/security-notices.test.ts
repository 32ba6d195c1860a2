import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '../../support/http/test-client.js';
import { RecordingMailer } from '../../support/recording-mailer.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const UPDATE = 'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }';
const VERIFY = 'mutation ($input: VerifyEmailInput!) { verifyEmail(input: $input) { user { id } } }';
const CHANGE = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revokedSessions } }';

let service: TestService;
let anonymous: TestClient;
const mailer = new RecordingMailer();

beforeAll(async () => {
  service = await startTestService({ mailer, hasher: FAKE_HASHER });
  anonymous = new TestClient(service.url);
});
afterAll(() => service.remove());

async function mailTo(address: string, subject: RegExp): Promise<void> {
  await waitUntil(`a mail to ${address}`, () =>
    mailer.sent.some((mail) => mail.to === address && subject.test(mail.subject)),
  );
}

async function setEmail(user: TestUser, email: string): Promise<void> {
  await user.data(UPDATE, { input: { email, currentPassword: PASSWORD } });
  await mailTo(email, /Confirm/);
  await anonymous.data(VERIFY, { input: { secret: mailer.secretTo(email) } });
}

describe('an account change', () => {
  it('sends a mail to the address that the account had before', async () => {
    const ada = await registerUser(service);
    await setEmail(ada, 'ada@example.org');
    await setEmail(ada, 'countess@example.org');
    await mailTo('ada@example.org', /address was replaced/);
    await ada.data(CHANGE, { input: { currentPassword: PASSWORD, newPassword: 'nine louder lanterns' } });
    await mailTo('countess@example.org', /password was changed/);
    await waitUntil(
      'nothing is kept of whom it went to',
      async () => (await service.database.pool.query('select from notice_recipient')).rowCount === 0,
    );
  });

  it('sends a mail when a refresh token is reused', async () => {
    const grace = await registerUser(service);
    await setEmail(grace, 'grace@example.org');
    const login = await anonymous.post('/api/auth/token', { username: grace.username, password: PASSWORD });
    const refresh = () =>
      anonymous.post('/api/auth/token', {
        grant_type: 'refresh_token',
        refresh_token: (login.body as { refresh_token: string }).refresh_token,
      });
    expect((await refresh()).status).toBe(200);
    await service.database.pool.query(`update session set rotated_at = rotated_at - interval '1 minute'`);
    expect((await refresh()).body).toMatchObject({ reason: 'REFRESH_REUSED' });
    await mailTo('grace@example.org', /sessions was ended/);
  });
});
