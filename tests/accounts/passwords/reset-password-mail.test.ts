import { describe, expect, it } from '@jest/globals';
import { buildResetPasswordMail } from '../../../src/accounts/passwords/reset-password-mail.js';

const input = {
  id: '0195f2c4-7a10-7cc3-9d11-3f0c2a4b5c6d',
  to: 'ada@example.org',
  username: 'ada',
  link: 'https://convene.example/reset-password#secret=abc_DEF-123',
  validForMinutes: 30,
};

describe('buildResetPasswordMail', () => {
  it('renders account, link, validity and advice identically as text and as HTML', () => {
    const { text, html } = buildResetPasswordMail(input);
    for (const body of [text, html]) {
      expect(body).toContain('Hello ada,');
      expect(body).toContain(input.link);
      expect(body).toContain('for 30 minutes');
      expect(body).toContain('ignore this mail');
    }
  });

  it('uses the given id and recipient, and no username in the subject', () => {
    expect(buildResetPasswordMail(input)).toMatchObject({
      id: input.id,
      to: input.to,
      subject: 'Choose a new password for Convene',
    });
  });

  it('escapes its input in the HTML', () => {
    expect(buildResetPasswordMail({ ...input, username: '<img src=x onerror=1>' }).html).not.toContain('<img');
  });
});
