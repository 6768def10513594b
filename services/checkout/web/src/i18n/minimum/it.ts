import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Le carte vengono addebitate quando hanno pagato tutti, o allo scadere del tempo se si raggiunge il minimo: {minimum}.',
    how3: 'Se prima scade il tempo e si è raggiunto il minimo ({minimum}), si addebita quanto è stato pagato. Altrimenti tutto viene sbloccato e nessuno paga nulla.',
    payNote:
      'Bloccato ora, addebitato quando tutti hanno pagato, o allo scadere del tempo se si raggiunge il minimo ({minimum}).',
    doneText:
      '{amount} sono bloccati sulla tua carta. Vengono addebitati quando tutte le quote sono bloccate, o allo scadere del tempo se si raggiunge il minimo ({minimum}); altrimenti si sbloccano.',
    chargingTitle: 'Addebito in corso',
    chargingText: 'Le quote bloccate vengono addebitate adesso.',
    shortTitle: 'Pagato in parte',
    shortText:
      'Alcune quote sono state addebitate. Le altre non sono state pagate in tempo o non è stato possibile addebitarle. Il negozio lo vede e decide come proseguire.',
    reachedTitle: 'Il minimo è stato raggiunto',
    reachedText: 'Il minimo ({minimum}) è stato raggiunto in tempo e le quote pagate sono state addebitate.',
    expiredText:
      'Allo scadere del tempo, quanto si poteva addebitare non raggiungeva il minimo ({minimum}), quindi nessuno paga.',
  },
  slots: { slots_one: '{n} quota', slots_other: '{n} quote' },
};
export default messages satisfies MinimumMessages;
