import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise: 'Pengarna dras när alla har betalat, eller när tiden är ute om minimum är nått: {minimum}.',
    how3: 'Om tiden tar slut innan dess och minimum är nått ({minimum}) dras det som har betalats. Annars släpps alla reservationer och ingen betalar något.',
    payNote:
      'Reserveras nu, dras när alla har betalat, eller när tiden är ute om minimum är nått ({minimum}).',
    doneText:
      '{amount} är reserverat på ditt kort. Pengarna dras när alla delar är reserverade, eller när tiden är ute om minimum är nått ({minimum}); annars släpps reservationen.',
    chargingTitle: 'Pengarna dras',
    chargingText: 'De reserverade delarna dras nu.',
    shortTitle: 'Delvis betalt',
    shortText:
      'Några delar har dragits. De andra betalades inte i tid eller gick inte att dra. Säljaren ser det och avgör vad som händer nu.',
    reachedTitle: 'Minimum är nått',
    reachedText: 'Minimum ({minimum}) nåddes i tid, och de betalda delarna har dragits.',
    expiredText:
      'När tiden var ute räckte det som gick att dra inte till minimum ({minimum}), så inga pengar dras från någon.',
  },
  slots: { slots_one: '{n} del', slots_other: '{n} delar' },
};
export default messages satisfies MinimumMessages;
