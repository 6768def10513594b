import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} retinguts per a {name}',
  chargedSubject: 'Rebut: {amount} per {name}',
  releasedSubject: 'No se t’ha cobrat: {name}',
  refundedSubject: '{amount} retornats: {name}',
  until: 'El compte es pot pagar fins al {date}.',
  asked: 'Qui organitza aquest compte et demana que paguis la teva part.',
  notHeld: 'Ara mateix no hi ha res retingut a la teva targeta.',
  payNow: 'Continuar amb el pagament',
  testSubject: 'Prova',
  title: 'El teu pagament',
  see: 'Veure el teu pagament',
  why: 'Reps aquest correu perquè es va indicar aquesta adreça en un pagament. Si no vas ser tu, ignora’l o deixa de rebre aquests correus: no has de fer res.',
  mailsOn: 'Reps correus sobre els teus pagaments a aquest comerç.',
  mailsOff: 'Ja no reps correus sobre pagaments a aquest comerç.',
  unsubscribe: 'Deixar de rebre correus',
  subscribe: 'Torna’m a enviar correus',
  nameShown: 'Els altres veuen el teu nom: {name}',
  hideName: 'Amagar el meu nom',
} satisfies MailMessages;
