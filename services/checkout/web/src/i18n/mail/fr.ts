import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} bloqués pour {name}',
  chargedSubject: 'Reçu : {amount} pour {name}',
  releasedSubject: 'Vous n’avez pas été débité : {name}',
  refundedSubject: '{amount} remboursés : {name}',
  until: 'La note peut être payée jusqu’au {date}.',
  asked: 'La personne qui organise cette addition vous demande de payer votre part.',
  notHeld: 'Rien n’est bloqué sur votre carte pour le moment.',
  payNow: 'Continuer vers le paiement',
  testSubject: 'Test',
  title: 'Votre paiement',
  see: 'Voir votre paiement',
  why: 'Vous recevez cet e-mail parce que cette adresse a été indiquée pour un paiement. Si ce n’était pas vous, ignorez-le ou arrêtez ces e-mails : vous n’avez rien à faire.',
  mailsOn: 'Vous recevez des e-mails sur vos paiements à ce commerçant.',
  mailsOff: 'Vous ne recevez plus d’e-mails sur les paiements à ce commerçant.',
  unsubscribe: 'Arrêter ces e-mails',
  subscribe: 'M’envoyer à nouveau des e-mails',
  nameShown: 'Les autres voient votre nom : {name}',
  hideName: 'Masquer mon nom',
} satisfies MailMessages;
