import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Pengene trækkes, når alle har betalt, eller når tiden er gået, hvis minimum er nået: {minimum}.',
    how3: 'Hvis tiden løber ud inden da, og minimum er nået ({minimum}), trækkes det, der er betalt. Ellers frigives alle reservationer, og ingen betaler noget.',
    payNote:
      'Reserveres nu, trækkes, når alle har betalt, eller når tiden er gået, hvis minimum er nået ({minimum}).',
    doneText:
      '{amount} er reserveret på dit kort. Pengene trækkes, når alle andele er reserveret, eller når tiden er gået, hvis minimum er nået ({minimum}); ellers frigives reservationen.',
    chargingTitle: 'Pengene trækkes',
    chargingText: 'De reserverede andele trækkes nu.',
    shortTitle: 'Delvist betalt',
    shortText:
      'Nogle andele er trukket. De andre blev ikke betalt i tide eller kunne ikke trækkes. Forretningen ser det og afgør, hvad der nu skal ske.',
    reachedTitle: 'Minimum er nået',
    reachedText: 'Minimum ({minimum}) blev nået i tide, og de betalte andele er trukket.',
    expiredText:
      'Da tiden var gået, var det, der kunne trækkes, ikke nok til minimum ({minimum}), så der trækkes ingen penge hos nogen.',
  },
  slots: { slots_one: '{n} andel', slots_other: '{n} andele' },
};
export default messages satisfies MinimumMessages;
