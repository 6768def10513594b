import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} retidos para {name}',
  chargedSubject: 'Recibo: {amount} por {name}',
  releasedSubject: 'Não lhe foi cobrado nada: {name}',
  refundedSubject: '{amount} devolvidos: {name}',
  until: 'A conta pode ser paga até {date}.',
  asked: 'Quem organiza esta conta pede-lhe que pague a sua parte.',
  notHeld: 'De momento não há nada retido no seu cartão.',
  payNow: 'Continuar para o pagamento',
  testSubject: 'Teste',
  title: 'O seu pagamento',
  see: 'Ver o seu pagamento',
  why: 'Recebe este e-mail porque este endereço foi indicado num pagamento. Se não foi você, ignore-o ou deixe de receber estes e-mails: não tem de fazer nada.',
  mailsOn: 'Recebe e-mails sobre os seus pagamentos a este comerciante.',
  mailsOff: 'Já não recebe e-mails sobre pagamentos a este comerciante.',
  unsubscribe: 'Deixar de receber e-mails',
  subscribe: 'Voltar a enviar-me e-mails',
  nameShown: 'Os outros veem o seu nome: {name}',
  hideName: 'Ocultar o meu nome',
} satisfies MailMessages;
