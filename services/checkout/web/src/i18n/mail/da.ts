import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} er reserveret til {name}',
  chargedSubject: 'Kvittering: {amount} for {name}',
  releasedSubject: 'Der er ikke trukket noget: {name}',
  refundedSubject: '{amount} er betalt tilbage: {name}',
  until: 'Regningen kan betales indtil {date}.',
  asked: 'Den, der står for regningen, beder dig betale din andel.',
  notHeld: 'Lige nu er intet reserveret på dit kort.',
  payNow: 'Fortsæt til betalingen',
  testSubject: 'Test',
  title: 'Din betaling',
  see: 'Se din betaling',
  why: 'Du får denne mail, fordi adressen blev angivet ved en betaling. Hvis det ikke var dig, kan du se bort fra den eller stoppe disse mails: du behøver ikke gøre noget.',
  mailsOn: 'Du får mails om dine betalinger til denne butik.',
  mailsOff: 'Du får ikke flere mails om betalinger til denne butik.',
  unsubscribe: 'Stop disse mails',
  subscribe: 'Send mig mails igen',
  nameShown: 'De andre ser dit navn: {name}',
  hideName: 'Skjul mit navn',
} satisfies MailMessages;
