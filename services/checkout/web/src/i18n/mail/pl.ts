import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} zablokowano na: {name}',
  chargedSubject: 'Potwierdzenie: {amount} za {name}',
  releasedSubject: 'Nic nie pobrano: {name}',
  refundedSubject: 'Zwrot {amount}: {name}',
  until: 'Rachunek można opłacić do: {date}.',
  asked: 'Osoba, która organizuje ten rachunek, prosi o zapłacenie Twojej części.',
  notHeld: 'Na Twojej karcie nic teraz nie jest zablokowane.',
  payNow: 'Przejdź do płatności',
  testSubject: 'Test',
  title: 'Twoja płatność',
  see: 'Zobacz swoją płatność',
  why: 'Otrzymujesz tę wiadomość, ponieważ ten adres podano przy płatności. Jeśli to nie Ty, zignoruj ją albo zrezygnuj z tych wiadomości: nie musisz nic robić.',
  mailsOn: 'Otrzymujesz wiadomości o swoich płatnościach dla tego sprzedawcy.',
  mailsOff: 'Nie otrzymujesz już wiadomości o płatnościach dla tego sprzedawcy.',
  unsubscribe: 'Zrezygnuj z wiadomości',
  subscribe: 'Wysyłaj mi znowu wiadomości',
  nameShown: 'Inni widzą Twoje imię i nazwisko: {name}',
  hideName: 'Ukryj moje imię i nazwisko',
} satisfies MailMessages;
