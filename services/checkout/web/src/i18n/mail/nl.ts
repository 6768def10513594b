import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} gereserveerd voor {name}',
  chargedSubject: 'Bon: {amount} voor {name}',
  releasedSubject: 'Er is niets afgeschreven: {name}',
  refundedSubject: '{amount} terugbetaald: {name}',
  until: 'De rekening kan worden betaald tot {date}.',
  asked: 'Wie deze rekening regelt, vraagt je om jouw deel te betalen.',
  notHeld: 'Op je kaart is nu niets gereserveerd.',
  payNow: 'Verder naar de betaling',
  testSubject: 'Test',
  title: 'Je betaling',
  see: 'Je betaling bekijken',
  why: 'Je krijgt deze e-mail omdat dit adres bij een betaling is opgegeven. Was jij dat niet, negeer de mail dan of zet deze e-mails stop: je hoeft niets te doen.',
  mailsOn: 'Je krijgt e-mails over je betalingen aan deze winkel.',
  mailsOff: 'Je krijgt geen e-mails meer over betalingen aan deze winkel.',
  unsubscribe: 'Deze e-mails stoppen',
  subscribe: 'Stuur me weer e-mails',
  nameShown: 'De anderen zien je naam: {name}',
  hideName: 'Mijn naam verbergen',
} satisfies MailMessages;
