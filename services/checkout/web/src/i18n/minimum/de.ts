import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Abgebucht wird, wenn alle bezahlt haben oder wenn die Zeit um ist und das Minimum erreicht ist: {minimum}.',
    how3: 'Läuft die Zeit vorher ab und ist das Minimum erreicht ({minimum}), wird abgebucht, was bezahlt ist. Sonst werden alle Vormerkungen aufgehoben und niemand zahlt etwas.',
    payNote:
      'Jetzt vorgemerkt, abgebucht, wenn alle bezahlt haben oder wenn die Zeit um ist und das Minimum erreicht ist ({minimum}).',
    doneText:
      '{amount} sind auf Ihrer Karte vorgemerkt. Abgebucht wird, wenn alle Anteile vorgemerkt sind oder wenn die Zeit um ist und das Minimum erreicht ist ({minimum}); sonst wird die Vormerkung aufgehoben.',
    chargingTitle: 'Es wird abgebucht',
    chargingText: 'Die vorgemerkten Anteile werden jetzt abgebucht.',
    shortTitle: 'Teilweise bezahlt',
    shortText:
      'Einige Anteile sind abgebucht. Die anderen wurden nicht rechtzeitig bezahlt oder konnten nicht abgebucht werden. Der Händler sieht das und entscheidet, wie es weitergeht.',
    reachedTitle: 'Das Minimum ist erreicht',
    reachedText:
      'Das Minimum ({minimum}) wurde rechtzeitig erreicht, und die bezahlten Anteile sind abgebucht.',
    expiredText:
      'Als die Zeit um war, reichte das, was abgebucht werden konnte, nicht für das Minimum ({minimum}); niemandem wird etwas abgebucht.',
  },
  slots: { slots_one: '{n} Anteil', slots_other: '{n} Anteile' },
};
export default messages satisfies MinimumMessages;
