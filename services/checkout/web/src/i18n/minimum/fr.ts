import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Les cartes sont débitées quand tout le monde a payé, ou à l’expiration du délai si le minimum est atteint : {minimum}.',
    how3: 'Si le temps s’écoule avant et que le minimum est atteint ({minimum}), ce qui a été payé est débité. Sinon, tout est débloqué et personne ne paie rien.',
    payNote:
      'Bloqué maintenant, débité quand tout le monde a payé, ou à l’expiration du délai si le minimum est atteint ({minimum}).',
    doneText:
      '{amount} sont bloqués sur votre carte. Ils sont débités quand toutes les parts sont bloquées, ou à l’expiration du délai si le minimum est atteint ({minimum}) ; sinon ils sont libérés.',
    chargingTitle: 'Débit en cours',
    chargingText: 'Les parts bloquées sont débitées en ce moment.',
    shortTitle: 'Payé en partie',
    shortText:
      'Certaines parts ont été débitées. Les autres n’ont pas été payées à temps ou n’ont pas pu être débitées. Le marchand le voit et décide de la suite.',
    reachedTitle: 'Le minimum est atteint',
    reachedText: 'Le minimum ({minimum}) a été atteint à temps, et les parts payées ont été débitées.',
    expiredText:
      'À l’expiration du délai, ce qui pouvait être débité n’atteignait pas le minimum ({minimum}) : personne n’est débité.',
  },
  slots: { slots_one: '{n} part', slots_other: '{n} parts' },
};
export default messages satisfies MinimumMessages;
