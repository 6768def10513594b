import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Organizas esta cuenta',
  keepLink:
    'Esta página es solo para ti: envía a los demás el enlace de abajo, no la dirección de esta página.',
  busyNow: 'Alguien está pagando ahora',
  heldNow: 'Dentro: retenida',
  remind_one: 'Recordárselo a {n} persona por correo',
  remind_other: 'Recordárselo a {n} personas por correo',
  remindHint: 'El correo llega a quienes han empezado a pagar y no han terminado.',
  reminded_one: '{n} persona recibe un correo.',
  reminded_other: '{n} personas reciben un correo.',
  remindedNone: 'Todos han recibido un correo hace poco.',
  extendTitle: 'Más tiempo',
  addHour: '1 hora más',
  addDay: '1 día más',
  addLatest: 'Hasta: {date}',
  extended: 'La cuenta queda abierta hasta: {date}.',
  cannotExtend: 'El tiempo ya no se puede ampliar.',
  payRest: 'Pagar lo que falta: {amount}',
  cancel: 'Cancelar la cuenta',
  cancelTitle: '¿Cancelar esta cuenta?',
  cancelText: 'Se liberan todas las retenciones y no se cobra a nadie. No se puede deshacer.',
  cancelYes: 'Sí, cancelarla',
  cancelNo: 'No, dejarla abierta',
  failed: 'No ha funcionado. Inténtalo de nuevo.',
  over: 'Eso ya no es posible.',
  tooMany: 'Demasiadas peticiones. Espera un minuto.',
  noScript:
    'Para actuar aquí hacen falta JavaScript y un navegador actual. Compruébalo y vuelve a cargar la página.',
} satisfies OrganiserMessages;
