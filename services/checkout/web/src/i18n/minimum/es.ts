import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Se cobra cuando todos hayan pagado, o al acabarse el tiempo si se alcanza el mínimo: {minimum}.',
    how3: 'Si antes se acaba el tiempo y se ha alcanzado el mínimo ({minimum}), se cobra lo que se haya pagado. Si no, se liberan todas las retenciones y nadie paga nada.',
    payNote:
      'Se retiene ahora y se cobra cuando todos hayan pagado, o al acabarse el tiempo si se alcanza el mínimo ({minimum}).',
    doneText:
      'Hay {amount} retenidos en tu tarjeta. Se cobran cuando todas las partes estén retenidas, o al acabarse el tiempo si se alcanza el mínimo ({minimum}); si no, se liberan.',
    chargingTitle: 'Cobrando',
    chargingText: 'Se están cobrando las partes retenidas.',
    shortTitle: 'Pagado en parte',
    shortText:
      'Algunas partes se han cobrado. Las demás no se pagaron a tiempo o no se pudieron cobrar. El comercio lo ve y decide cómo seguir.',
    reachedTitle: 'Se alcanzó el mínimo',
    reachedText: 'El mínimo ({minimum}) se alcanzó a tiempo y se han cobrado las partes pagadas.',
    expiredText:
      'Al acabarse el tiempo, lo que se podía cobrar no llegaba al mínimo ({minimum}), así que no se cobra a nadie.',
  },
  slots: { slots_one: '{n} parte', slots_other: '{n} partes' },
};
export default messages satisfies MinimumMessages;
