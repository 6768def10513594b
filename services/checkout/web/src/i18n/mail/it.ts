import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} bloccati per {name}',
  chargedSubject: 'Ricevuta: {amount} per {name}',
  releasedSubject: 'Nessun addebito: {name}',
  refundedSubject: '{amount} rimborsati: {name}',
  until: 'Il conto si può pagare fino al {date}.',
  asked: 'Chi organizza questo conto ti chiede di pagare la tua quota.',
  notHeld: 'Al momento sulla tua carta non è bloccato nulla.',
  payNow: 'Continua con il pagamento',
  testSubject: 'Test',
  title: 'Il tuo pagamento',
  see: 'Vedi il tuo pagamento',
  why: 'Ricevi questa e-mail perché questo indirizzo è stato indicato per un pagamento. Se non sei stato tu, ignorala o interrompi queste e-mail: non devi fare nulla.',
  mailsOn: 'Ricevi e-mail sui tuoi pagamenti a questo esercente.',
  mailsOff: 'Non ricevi più e-mail sui pagamenti a questo esercente.',
  unsubscribe: 'Interrompi queste e-mail',
  subscribe: 'Inviami di nuovo e-mail',
  nameShown: 'Gli altri vedono il tuo nome: {name}',
  hideName: 'Nascondi il mio nome',
} satisfies MailMessages;
