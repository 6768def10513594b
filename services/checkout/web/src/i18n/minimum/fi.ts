import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Kortteja veloitetaan, kun kaikki ovat maksaneet tai kun aika loppuu ja vähimmäismäärä on koossa: {minimum}.',
    how3: 'Jos aika loppuu sitä ennen ja vähimmäismäärä on koossa ({minimum}), maksetut osuudet veloitetaan. Muuten kaikki katevaraukset puretaan eikä kukaan maksa mitään.',
    payNote:
      'Katevaraus nyt, veloitus kun kaikki ovat maksaneet tai kun aika loppuu ja vähimmäismäärä on koossa ({minimum}).',
    doneText:
      'Kortillasi on katevaraus: {amount}. Summa veloitetaan, kun kaikki osuudet on varattu tai kun aika loppuu ja vähimmäismäärä on koossa ({minimum}); muuten varaus puretaan.',
    chargingTitle: 'Veloitetaan',
    chargingText: 'Varattuja osuuksia veloitetaan nyt.',
    shortTitle: 'Maksettu osittain',
    shortText:
      'Osa osuuksista on veloitettu. Muita ei maksettu ajoissa tai ei voitu veloittaa. Kauppias näkee tämän ja päättää, miten jatketaan.',
    reachedTitle: 'Vähimmäismäärä täyttyi',
    reachedText: 'Vähimmäismäärä ({minimum}) täyttyi ajoissa, ja maksetut osuudet on veloitettu.',
    expiredText:
      'Kun aika loppui, veloitettavissa oli vähemmän kuin vähimmäismäärä ({minimum}), joten keneltäkään ei veloiteta mitään.',
  },
  slots: { slots_one: '{n} osuus', slots_other: '{n} osuutta' },
};
export default messages satisfies MinimumMessages;
