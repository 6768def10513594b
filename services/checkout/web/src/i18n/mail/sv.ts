import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} reserverat för {name}',
  chargedSubject: 'Kvitto: {amount} för {name}',
  releasedSubject: 'Inget har dragits: {name}',
  refundedSubject: '{amount} återbetalat: {name}',
  until: 'Notan kan betalas till {date}.',
  asked: 'Den som ordnar notan ber dig betala din del.',
  notHeld: 'Just nu är inget reserverat på ditt kort.',
  payNow: 'Fortsätt till betalningen',
  testSubject: 'Test',
  title: 'Din betalning',
  see: 'Se din betalning',
  why: 'Du får det här mejlet eftersom adressen angavs vid en betalning. Om det inte var du kan du bortse från det eller stoppa mejlen: du behöver inte göra något.',
  mailsOn: 'Du får mejl om dina betalningar till den här handlaren.',
  mailsOff: 'Du får inte längre mejl om betalningar till den här handlaren.',
  unsubscribe: 'Stoppa mejlen',
  subscribe: 'Skicka mejl till mig igen',
  nameShown: 'De andra ser ditt namn: {name}',
  hideName: 'Dölj mitt namn',
} satisfies MailMessages;
