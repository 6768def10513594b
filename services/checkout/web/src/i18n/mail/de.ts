import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} vorgemerkt für {name}',
  chargedSubject: 'Beleg: {amount} für {name}',
  releasedSubject: 'Nichts wurde abgebucht: {name}',
  refundedSubject: '{amount} erstattet: {name}',
  until: 'Die Rechnung kann bis {date} bezahlt werden.',
  asked: 'Wer diese Rechnung organisiert, bittet Sie, Ihren Anteil zu bezahlen.',
  notHeld: 'Auf Ihrer Karte ist im Moment nichts vorgemerkt.',
  payNow: 'Weiter zur Zahlung',
  testSubject: 'Test',
  title: 'Ihre Zahlung',
  see: 'Ihre Zahlung ansehen',
  why: 'Sie erhalten diese E-Mail, weil diese Adresse bei einer Zahlung angegeben wurde. Waren Sie das nicht, ignorieren Sie sie oder bestellen Sie diese E-Mails ab: Sie müssen nichts tun.',
  mailsOn: 'Sie erhalten E-Mails über Ihre Zahlungen an diesen Händler.',
  mailsOff: 'Sie erhalten keine E-Mails mehr über Zahlungen an diesen Händler.',
  unsubscribe: 'E-Mails abbestellen',
  subscribe: 'Wieder E-Mails senden',
  nameShown: 'Die anderen sehen Ihren Namen: {name}',
  hideName: 'Meinen Namen verbergen',
} satisfies MailMessages;
