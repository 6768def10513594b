import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Organitzes aquest compte',
  keepLink:
    'Aquesta pàgina és només per a tu: envia als altres l’enllaç de sota, no l’adreça d’aquesta pàgina.',
  busyNow: 'Algú està pagant ara',
  heldNow: 'A dins: retinguda',
  remind_one: 'Recordar-ho a {n} persona per correu',
  remind_other: 'Recordar-ho a {n} persones per correu',
  remindHint: 'El correu arriba als qui han començat a pagar i no han acabat.',
  reminded_one: '{n} persona rep un correu.',
  reminded_other: '{n} persones reben un correu.',
  remindedNone: 'Tothom ha rebut un correu fa poc.',
  extendTitle: 'Més temps',
  addHour: '1 hora més',
  addDay: '1 dia més',
  addLatest: 'Fins a: {date}',
  extended: 'El compte queda obert fins a: {date}.',
  cannotExtend: 'El temps ja no es pot ampliar.',
  payRest: 'Pagar el que falta: {amount}',
  cancel: 'Cancel·lar el compte',
  cancelTitle: 'Vols cancel·lar aquest compte?',
  cancelText: 'S’alliberen totes les retencions i no es cobra a ningú. No es pot desfer.',
  cancelYes: 'Sí, cancel·la’l',
  cancelNo: 'No, deixa’l obert',
  failed: 'No ha funcionat. Torna-ho a provar.',
  over: 'Això ja no és possible.',
  tooMany: 'Massa peticions. Espera un minut.',
  noScript:
    'Per actuar aquí calen JavaScript i un navegador actual. Comprova-ho i torna a carregar la pàgina.',
} satisfies OrganiserMessages;
