import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Du ordnar den här notan',
  keepLink:
    'Den här sidan är bara för dig: skicka länken nedan till de andra, inte adressen till den här sidan.',
  busyNow: 'Någon betalar nu',
  heldNow: 'Klar: reserverad',
  remind_one: 'Påminn {n} person via mejl',
  remind_other: 'Påminn {n} personer via mejl',
  remindHint: 'Mejlet går till dem som har börjat betala men inte blivit klara.',
  reminded_one: '{n} person får ett mejl.',
  reminded_other: '{n} personer får ett mejl.',
  remindedNone: 'Alla har fått ett mejl nyligen.',
  extendTitle: 'Mer tid',
  addHour: '1 timme till',
  addDay: '1 dag till',
  addLatest: 'Till {date}',
  extended: 'Notan är nu öppen till {date}.',
  cannotExtend: 'Tiden kan inte förlängas mer.',
  payRest: 'Betala det som återstår: {amount}',
  cancel: 'Avbryt notan',
  cancelTitle: 'Avbryta den här notan?',
  cancelText: 'Alla reservationer släpps och inga pengar dras från någon. Det går inte att ångra.',
  cancelYes: 'Ja, avbryt den',
  cancelNo: 'Nej, låt den vara öppen',
  failed: 'Det fungerade inte. Försök igen.',
  over: 'Det är inte längre möjligt.',
  tooMany: 'För många försök. Vänta en minut.',
  noScript:
    'Du behöver JavaScript och en aktuell webbläsare för att göra något här. Kontrollera båda och ladda om sidan.',
} satisfies OrganiserMessages;
