import { describe, expect, it } from '@jest/globals';
import { buildInvitationMail } from '../../../src/groups/inviting/invitation-mail.js';

const INPUT = {
  id: '0198c0de-0000-7000-8000-000000000001',
  to: 'ada@example.org',
  groupName: 'Choir',
  invitedBy: 'Grace',
  expiresAt: new Date('2026-03-15T23:59:59.999Z'),
  link: 'https://convene.example/invitation#secret=abc-123',
};

describe('buildInvitationMail', () => {
  it('names inviter, group and expiry, and explains what to do when it is unexpected', () => {
    const mail = buildInvitationMail(INPUT);
    expect(mail).toMatchObject({ id: INPUT.id, to: INPUT.to, subject: 'Grace invites you to Choir' });
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Grace would like you to take part in Choir');
      expect(body).toContain('March 15, 2026 (UTC)');
      expect(body).toContain('Nothing happens until you choose.');
      expect(body).toContain('ignore this mail');
    }
  });

  it('contains only the given link, in both text and HTML', () => {
    const mail = buildInvitationMail(INPUT);
    expect(mail.text).toContain(`\n${INPUT.link}\n`);
    expect(mail.html).toContain(`href="${INPUT.link}"`);
    expect(new Set(mail.html.match(/https?:\/\/[^"<\s]+/g))).toEqual(new Set([INPUT.link]));
  });

  it('escapes names', () => {
    const mail = buildInvitationMail({
      ...INPUT,
      groupName: '<img src=x onerror="alert(1)"> & Söhne',
      invitedBy: '</title><script>',
    });
    expect(mail.html).not.toMatch(/<img|<script/);
    expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Söhne');
    expect(mail.text).toContain('<img src=x onerror="alert(1)"> & Söhne');
  });

  it("names no inviter when the inviter's account was deleted", () => {
    const { subject } = buildInvitationMail({ ...INPUT, invitedBy: null });
    expect(subject).toBe('An owner of the group invites you to Choir');
  });

  it('does not reveal whether the address has an account', () => {
    expect(buildInvitationMail(INPUT).text).not.toMatch(/account|regist|log in/i);
  });
});
