import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Organizați această notă',
  keepLink:
    'Această pagină este doar pentru dumneavoastră: trimiteți celorlalți linkul de mai jos, nu adresa acestei pagini.',
  busyNow: 'Cineva plătește acum',
  heldNow: 'Acoperită: blocată',
  remind_one: 'Amintiți-i prin e-mail: {n} persoană',
  remind_other: 'Amintiți-le prin e-mail: {n} de persoane',
  remindHint: 'E-mailul ajunge la cei care au început să plătească și nu au terminat.',
  reminded_one: '{n} persoană primește un e-mail.',
  reminded_other: '{n} de persoane primesc un e-mail.',
  remindedNone: 'Toți au primit un e-mail de curând.',
  extendTitle: 'Mai mult timp',
  addHour: 'Încă 1 oră',
  addDay: 'Încă 1 zi',
  addLatest: 'Până la: {date}',
  extended: 'Nota este acum deschisă până la: {date}.',
  cannotExtend: 'Timpul nu mai poate fi prelungit.',
  payRest: 'Plătiți ce a rămas: {amount}',
  cancel: 'Anulați nota',
  cancelTitle: 'Anulați această notă?',
  cancelText: 'Toate sumele se deblochează și nimănui nu i se iau bani. Nu se poate reveni.',
  cancelYes: 'Da, anulați-o',
  cancelNo: 'Nu, rămâne deschisă',
  failed: 'Nu a funcționat. Încercați din nou.',
  over: 'Nu mai este posibil.',
  tooMany: 'Prea multe cereri. Așteptați un minut.',
  noScript:
    'Pentru a face ceva aici este nevoie de JavaScript și de un browser actual. Verificați-le și reîncărcați pagina.',
  remind_few: 'Amintiți-le prin e-mail: {n} persoane',
  reminded_few: '{n} persoane primesc un e-mail.',
} satisfies OrganiserMessages;
