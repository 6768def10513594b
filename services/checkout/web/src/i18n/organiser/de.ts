import type { OrganiserMessages } from './en.ts';

export default {
  eyebrow: 'Sie organisieren diese Rechnung',
  keepLink:
    'Diese Seite ist nur für Sie: Schicken Sie den anderen den Link unten, nicht die Adresse dieser Seite.',
  busyNow: 'Jemand zahlt gerade',
  heldNow: 'Dabei: vorgemerkt',
  remind_one: '{n} Person per E-Mail erinnern',
  remind_other: '{n} Personen per E-Mail erinnern',
  remindHint: 'Die E-Mail geht an alle, die das Zahlen begonnen und nicht beendet haben.',
  reminded_one: '{n} Person bekommt eine E-Mail.',
  reminded_other: '{n} Personen bekommen eine E-Mail.',
  remindedNone: 'Alle haben vor Kurzem eine E-Mail bekommen.',
  extendTitle: 'Mehr Zeit',
  addHour: '1 Stunde länger',
  addDay: '1 Tag länger',
  addLatest: 'Bis {date}',
  extended: 'Die Rechnung ist jetzt bis {date} offen.',
  cannotExtend: 'Die Zeit kann nicht weiter verlängert werden.',
  payRest: 'Den Rest bezahlen: {amount}',
  cancel: 'Rechnung absagen',
  cancelTitle: 'Diese Rechnung absagen?',
  cancelText:
    'Alle Vormerkungen werden aufgehoben, niemandem wird etwas abgebucht. Das lässt sich nicht rückgängig machen.',
  cancelYes: 'Ja, absagen',
  cancelNo: 'Nein, offen lassen',
  failed: 'Das hat nicht funktioniert. Bitte versuchen Sie es noch einmal.',
  over: 'Das ist nicht mehr möglich.',
  tooMany: 'Zu viele Anfragen. Bitte warten Sie eine Minute.',
  noScript:
    'Um hier etwas zu tun, werden JavaScript und ein aktueller Browser gebraucht. Bitte prüfen Sie beides und laden Sie die Seite neu.',
} satisfies OrganiserMessages;
