import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise: 'Es cobra quan tothom hagi pagat, o en acabar-se el temps si s’arriba al mínim: {minimum}.',
    how3: 'Si abans s’acaba el temps i s’ha arribat al mínim ({minimum}), es cobra el que s’hagi pagat. Si no, s’alliberen totes les retencions i ningú no paga res.',
    payNote:
      'Es reté ara i es cobra quan tothom hagi pagat, o en acabar-se el temps si s’arriba al mínim ({minimum}).',
    doneText:
      'Hi ha {amount} retinguts a la teva targeta. Es cobren quan totes les parts estiguin retingudes, o en acabar-se el temps si s’arriba al mínim ({minimum}); si no, s’alliberen.',
    chargingTitle: 'S’està cobrant',
    chargingText: 'S’estan cobrant les parts retingudes.',
    shortTitle: 'Pagat en part',
    shortText:
      'Algunes parts s’han cobrat. Les altres no s’han pagat a temps o no s’han pogut cobrar. El comerç ho veu i decideix com continuar.',
    reachedTitle: 'S’ha arribat al mínim',
    reachedText: 'S’ha arribat a temps al mínim ({minimum}) i s’han cobrat les parts pagades.',
    expiredText:
      'En acabar-se el temps, el que es podia cobrar no arribava al mínim ({minimum}), així que no es cobra a ningú.',
  },
  slots: { slots_one: '{n} part', slots_other: '{n} parts' },
};
export default messages satisfies MinimumMessages;
