import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} retenidos para {name}',
  chargedSubject: 'Recibo: {amount} por {name}',
  releasedSubject: 'No se te ha cobrado: {name}',
  refundedSubject: '{amount} devueltos: {name}',
  until: 'La cuenta se puede pagar hasta el {date}.',
  asked: 'Quien organiza esta cuenta te pide que pagues tu parte.',
  notHeld: 'Ahora mismo no hay nada retenido en tu tarjeta.',
  payNow: 'Continuar con el pago',
  testSubject: 'Prueba',
  title: 'Tu pago',
  see: 'Ver tu pago',
  why: 'Recibes este correo porque se indicó esta dirección en un pago. Si no fuiste tú, ignóralo o deja de recibir estos correos: no tienes que hacer nada.',
  mailsOn: 'Recibes correos sobre tus pagos a este comercio.',
  mailsOff: 'Ya no recibes correos sobre pagos a este comercio.',
  unsubscribe: 'Dejar de recibir correos',
  subscribe: 'Volver a enviarme correos',
  nameShown: 'Los demás ven tu nombre: {name}',
  hideName: 'Ocultar mi nombre',
} satisfies MailMessages;
