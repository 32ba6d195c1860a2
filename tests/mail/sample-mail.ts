import type { Mail } from '../../src/accounts/ports/mailer.js';

export const FROM = 'Convene <no-reply@convene.example>';

export function sampleMail(changes: Partial<Mail> = {}): Mail {
  return {
    id: '0195f2c4-7a10-7cc3-9d11-3f0c2a4b5c6d',
    to: 'ada@example.org',
    subject: 'Grüße und ein Link',
    text: 'Bitte öffnen: https://convene.example/verify-email#secret=abc_DEF-123\n',
    html: '<p>Bitte öffnen: <a href="https://convene.example/verify-email#secret=abc_DEF-123">hier</a></p>',
    ...changes,
  };
}
