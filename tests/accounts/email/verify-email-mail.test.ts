import { describe, expect, it } from '@jest/globals';
import { buildVerifyEmailMail } from '../../../src/accounts/email/verify-email-mail.js';

const input = {
  id: '0195f2c4-7a10-7cc3-9d11-3f0c2a4b5c6d',
  to: 'ada@example.org',
  username: 'ada',
  link: 'https://convene.example/verify-email#secret=abc_DEF-123',
  validForHours: 24,
};

describe('buildVerifyEmailMail', () => {
  it('renders account, link and validity identically as text and as HTML', () => {
    const { text, html } = buildVerifyEmailMail(input);
    for (const body of [text, html]) {
      expect(body).toContain('Hello ada,');
      expect(body).toContain(input.link);
      expect(body).toContain('for 24 hours');
    }
  });

  it('puts the link on a line of its own in the text, so that mail clients make it clickable', () => {
    expect(buildVerifyEmailMail(input).text.split('\n')).toContain(input.link);
  });

  it('uses the given id and recipient, and no username in the subject', () => {
    expect(buildVerifyEmailMail(input)).toMatchObject({
      id: input.id,
      to: input.to,
      subject: 'Confirm your email address for Convene',
    });
  });

  it('escapes its input in the HTML, and not in the text', () => {
    const hostile = {
      ...input,
      username: '<img src=x onerror=1>"&\'',
      link: 'https://convene.example/?a=1&b="><script>#secret=x',
    };
    const { text, html } = buildVerifyEmailMail(hostile);
    expect(html).not.toMatch(/<img|<script|b="/);
    expect(html).toContain('Hello &lt;img src=x onerror=1&gt;&quot;&amp;&#39;,');
    expect(text).toContain(hostile.username);
    expect(text).toContain(hostile.link);
  });

  it('contains no remote content', () => {
    expect(buildVerifyEmailMail(input).html).not.toMatch(/<img|<link|src=|url\(|@import/i);
  });
});
