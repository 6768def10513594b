import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Pieniądze zostaną pobrane, gdy zapłacą wszyscy albo gdy minie czas, a minimum zostanie osiągnięte: {minimum}.',
    how3: 'Jeśli czas minie wcześniej, a minimum zostanie osiągnięte ({minimum}), pobierzemy to, co zapłacono. W przeciwnym razie blokady zostaną zdjęte i nikt nic nie zapłaci.',
    payNote:
      'Teraz blokada, pobranie, gdy zapłacą wszyscy albo gdy minie czas, a minimum zostanie osiągnięte ({minimum}).',
    doneText:
      'Na karcie zablokowano {amount}. Kwota zostanie pobrana, gdy zapłacą wszyscy albo gdy minie czas, a minimum zostanie osiągnięte ({minimum}); w przeciwnym razie blokada zostanie zdjęta.',
    chargingTitle: 'Pobieramy pieniądze',
    chargingText: 'Właśnie pobieramy pieniądze za zablokowane części.',
    shortTitle: 'Zapłacono częściowo',
    shortText:
      'Za niektóre części pobrano pieniądze. Pozostałych nie opłacono na czas albo nie udało się pobrać za nie pieniędzy. Sprzedawca to widzi i zdecyduje, co dalej.',
    reachedTitle: 'Osiągnięto minimum',
    reachedText: 'Minimum ({minimum}) osiągnięto na czas i pobrano pieniądze za opłacone części.',
    expiredText:
      'Gdy minął czas, nie można było pobrać tyle, by osiągnąć minimum ({minimum}), więc od nikogo nic nie pobierzemy.',
  },
  slots: { slots_one: '{n} część', slots_other: '{n} części' },
};
export default messages satisfies MinimumMessages;
