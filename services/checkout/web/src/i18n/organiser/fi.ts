import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Järjestät tämän laskun',
  keepLink: 'Tämä sivu on vain sinulle: lähetä muille alla oleva linkki, ei tämän sivun osoitetta.',
  busyNow: 'Joku maksaa parhaillaan',
  heldNow: 'Koossa: varattu',
  remind_one: 'Muistuta {n} henkilöä sähköpostitse',
  remind_other: 'Muistuta {n} henkilöä sähköpostitse',
  remindHint:
    'Viesti menee niille, jotka ovat aloittaneet maksamisen mutta eivät ole saaneet sitä valmiiksi.',
  reminded_one: '{n} henkilö saa viestin.',
  reminded_other: '{n} henkilöä saa viestin.',
  remindedNone: 'Kaikki ovat saaneet viestin hiljattain.',
  extendTitle: 'Lisää aikaa',
  addHour: '1 tunti lisää',
  addDay: '1 päivä lisää',
  addLatest: 'Päättyy: {date}',
  extended: 'Lasku on nyt auki, kunnes aika päättyy: {date}.',
  cannotExtend: 'Aikaa ei voi enää pidentää.',
  payRest: 'Maksa loput: {amount}',
  cancel: 'Peru lasku',
  cancelTitle: 'Perutaanko tämä lasku?',
  cancelText: 'Kaikki katevaraukset puretaan eikä keneltäkään veloiteta mitään. Tätä ei voi kumota.',
  cancelYes: 'Kyllä, peru se',
  cancelNo: 'Ei, pidä auki',
  failed: 'Se ei onnistunut. Yritä uudelleen.',
  over: 'Se ei ole enää mahdollista.',
  tooMany: 'Liian monta pyyntöä. Odota minuutti.',
  noScript:
    'Toimiminen tällä sivulla vaatii JavaScriptin ja ajantasaisen selaimen. Tarkista molemmat ja lataa sivu uudelleen.',
} satisfies OrganiserMessages;
