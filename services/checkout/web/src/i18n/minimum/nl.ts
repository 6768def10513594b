import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Er wordt afgeschreven als iedereen heeft betaald, of als de tijd om is en het minimum is gehaald: {minimum}.',
    how3: 'Is de tijd eerder om en is het minimum gehaald ({minimum}), dan wordt afgeschreven wat is betaald. Anders vervallen alle reserveringen en betaalt niemand iets.',
    payNote:
      'Nu gereserveerd, afgeschreven als iedereen heeft betaald, of als de tijd om is en het minimum is gehaald ({minimum}).',
    doneText:
      '{amount} is op je kaart gereserveerd. Er wordt afgeschreven als alle delen gereserveerd zijn, of als de tijd om is en het minimum is gehaald ({minimum}); anders vervalt de reservering.',
    chargingTitle: 'Er wordt afgeschreven',
    chargingText: 'De gereserveerde delen worden nu afgeschreven.',
    shortTitle: 'Deels betaald',
    shortText:
      'Een aantal delen is afgeschreven. De andere zijn niet op tijd betaald of konden niet worden afgeschreven. De verkoper ziet dit en beslist hoe het verdergaat.',
    reachedTitle: 'Het minimum is gehaald',
    reachedText: 'Het minimum ({minimum}) is op tijd gehaald en de betaalde delen zijn afgeschreven.',
    expiredText:
      'Toen de tijd om was, was wat kon worden afgeschreven niet genoeg voor het minimum ({minimum}), dus er wordt bij niemand afgeschreven.',
  },
  slots: { slots_one: '{n} deel', slots_other: '{n} delen' },
};
export default messages satisfies MinimumMessages;
