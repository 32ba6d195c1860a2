import { describe, expect, it } from '@jest/globals';
import { SECURITY_NOTICES } from '../../../src/accounts/index.js';
import { buildSecurityNoticeMail } from '../../../src/accounts/security-notices/security-notice-mail.js';

const input = {
  id: '0195f2c4-7a10-7cc3-9d11-3f0c2a4b5c6d',
  to: 'ada@example.org',
  username: 'ada',
  at: new Date('2026-03-01T23:59:30.000Z'),
  frontendUrl: 'https://convene.example',
};

describe.each(SECURITY_NOTICES)('buildSecurityNoticeMail for %s', (notice) => {
  const mail = buildSecurityNoticeMail({ ...input, notice });

  it('renders account, time and advice identically as text and as HTML', () => {
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Hello ada,');
      expect(body).toContain('On 1 March 2026 at 23:59 (UTC) ');
      expect(body).toMatch(/password immediately/);
    }
  });

  it('uses the given id and recipient, and no username in the subject', () => {
    expect(mail).toMatchObject({ id: input.id, to: input.to, subject: expect.stringContaining('Convene') });
    expect(mail.subject).not.toContain('ada');
  });

  it('has one link, to a page of the service, without a secret', () => {
    expect(mail.text.match(/\S*https?:\S*/g)).toEqual([
      expect.stringMatching(/^https:\/\/convene\.example(\/reset-password|\/)$/),
    ]);
  });

  it('escapes its input in the HTML', () => {
    expect(buildSecurityNoticeMail({ ...input, notice, username: '<img src=x onerror=1>' }).html).not.toContain('<img');
  });
});

describe('advice of a notice', () => {
  it('is a reset when the account still has this address, and a login otherwise', () => {
    const links = SECURITY_NOTICES.map((notice) => [
      notice,
      buildSecurityNoticeMail({ ...input, notice }).text.includes('/reset-password'),
    ]);
    expect(Object.fromEntries(links)).toEqual({
      notify_password_changed: true,
      notify_password_reset: true,
      notify_session_stolen: true,
      notify_email_replaced: false,
      notify_email_removed: false,
    });
  });
});
