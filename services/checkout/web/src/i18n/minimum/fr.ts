import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Les cartes sont débitées quand tout le monde a payé, ou à la fin du temps si le minimum est atteint : {minimum}.',
    how3: 'Si le temps s’écoule avant et que le minimum est atteint ({minimum}), ce qui a été payé est débité. Sinon, tout est débloqué et personne ne paie rien.',
    payNote:
      'Bloqué maintenant, débité quand tout le monde a payé, ou à la fin du temps si le minimum est atteint ({minimum}).',
    doneText:
      '{amount} sont bloqués sur votre carte. Ils sont débités quand toutes les parts sont bloquées, ou à la fin du temps si le minimum est atteint ({minimum}) ; sinon ils sont libérés.',
    chargingTitle: 'Débit en cours',
    chargingText: 'Les parts bloquées sont débitées en ce moment.',
    shortTitle: 'Payé en partie',
    shortText:
      'Certaines parts ont été débitées. Les autres n’ont pas été payées à temps ou n’ont pas pu être débitées.',
    expiredText: 'Le minimum n’était pas atteint à la fin du temps ({minimum}) : personne n’est débité.',
  },
  slots: { slots_one: '{n} part', slots_other: '{n} parts' },
};
export default messages satisfies MinimumMessages;
