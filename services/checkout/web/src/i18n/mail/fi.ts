import type { MailMessages } from './en.ts';

export default {
  heldSubject: '{amount} varattu: {name}',
  chargedSubject: 'Kuitti: {amount}, {name}',
  releasedSubject: 'Sinulta ei veloitettu mitään: {name}',
  refundedSubject: '{amount} palautettu: {name}',
  until: 'Laskun voi maksaa, kunnes aika päättyy: {date}.',
  asked: 'Laskun järjestäjä pyytää sinua maksamaan osuutesi.',
  notHeld: 'Kortillasi ei ole tällä hetkellä katevarausta.',
  payNow: 'Jatka maksamaan',
  testSubject: 'Testi',
  title: 'Maksusi',
  see: 'Katso maksusi',
  why: 'Saat tämän viestin, koska tämä osoite annettiin maksun yhteydessä. Jos se et ollut sinä, jätä viesti huomiotta tai lopeta viestit: sinun ei tarvitse tehdä mitään.',
  mailsOn: 'Saat sähköpostia maksuistasi tälle kauppiaalle.',
  mailsOff: 'Et saa enää sähköpostia maksuista tälle kauppiaalle.',
  unsubscribe: 'Lopeta nämä viestit',
  subscribe: 'Lähetä minulle taas viestejä',
  nameShown: 'Muut näkevät nimesi: {name}',
  hideName: 'Piilota nimeni',
} satisfies MailMessages;
