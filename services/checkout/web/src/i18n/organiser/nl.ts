import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Jij regelt deze rekening',
  keepLink:
    'Deze pagina is alleen voor jou: stuur de anderen de link hieronder, niet het adres van deze pagina.',
  busyNow: 'Iemand betaalt nu',
  heldNow: 'Binnen: gereserveerd',
  remind_one: '{n} persoon per e-mail herinneren',
  remind_other: '{n} personen per e-mail herinneren',
  remindHint: 'De e-mail gaat naar wie is begonnen met betalen en niet klaar is.',
  reminded_one: '{n} persoon krijgt een e-mail.',
  reminded_other: '{n} personen krijgen een e-mail.',
  remindedNone: 'Iedereen heeft kort geleden een e-mail gekregen.',
  extendTitle: 'Meer tijd',
  addHour: '1 uur langer',
  addDay: '1 dag langer',
  addLatest: 'Tot {date}',
  extended: 'De rekening is nu open tot {date}.',
  cannotExtend: 'De tijd kan niet meer worden verlengd.',
  payRest: 'Betalen wat overblijft: {amount}',
  cancel: 'Rekening annuleren',
  cancelTitle: 'Deze rekening annuleren?',
  cancelText:
    'Alle reserveringen vervallen en er wordt bij niemand afgeschreven. Dit kan niet ongedaan worden gemaakt.',
  cancelYes: 'Ja, annuleren',
  cancelNo: 'Nee, open laten',
  failed: 'Dat is niet gelukt. Probeer het opnieuw.',
  over: 'Dat kan niet meer.',
  tooMany: 'Te veel verzoeken. Wacht een minuut.',
  noScript:
    'Hier iets doen werkt alleen met JavaScript en een actuele browser. Controleer beide en laad de pagina opnieuw.',
} satisfies OrganiserMessages;
