import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} blocați pentru {name}',
  chargedSubject: 'Chitanță: {amount} pentru {name}',
  releasedSubject: 'Nu s-a încasat nimic: {name}',
  refundedSubject: '{amount} returnați: {name}',
  until: 'Nota poate fi plătită până la {date}.',
  asked: 'Cine organizează această notă vă roagă să vă plătiți partea.',
  notHeld: 'Pe cardul dumneavoastră nu este blocat nimic acum.',
  payNow: 'Continuați către plată',
  testSubject: 'Test',
  title: 'Plata dumneavoastră',
  see: 'Vedeți plata',
  why: 'Primiți acest e-mail pentru că această adresă a fost indicată la o plată. Dacă nu ați fost dumneavoastră, ignorați-l sau opriți aceste e-mailuri: nu trebuie să faceți nimic.',
  mailsOn: 'Primiți e-mailuri despre plățile către acest comerciant.',
  mailsOff: 'Nu mai primiți e-mailuri despre plățile către acest comerciant.',
  unsubscribe: 'Opriți aceste e-mailuri',
  subscribe: 'Trimiteți-mi din nou e-mailuri',
  nameShown: 'Ceilalți vă văd numele: {name}',
  hideName: 'Ascundeți numele meu',
} satisfies MailMessages;
