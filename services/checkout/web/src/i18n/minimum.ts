import type { Language, Sentences } from '../bootstrap.ts';

/**
 * The sentences of the page that differ where what is held is captured when time runs out. They contain the minimum as
 * `{minimum}`; `slots` writes one that is a number of shares.
 */
export type MinimumMessages = {
  readonly sentences: Required<
    Pick<
      Sentences,
      | 'promise'
      | 'how3'
      | 'payNote'
      | 'doneText'
      | 'chargingTitle'
      | 'chargingText'
      | 'shortTitle'
      | 'shortText'
      | 'expiredText'
    >
  >;
  readonly slots: {
    readonly slots_one: string;
    readonly slots_few?: string;
    readonly slots_other: string;
  };
};

/** Only the server has them: it sends a browser those of its own language and its own group. */
export const minimumMessages: Readonly<Record<Language, MinimumMessages>> = {
  en: {
    sentences: {
      promise:
        'Cards are charged once everyone has paid, or when time runs out and the minimum is reached: {minimum}.',
      how3: 'If time runs out first and the minimum is reached ({minimum}), what was paid is charged. Otherwise every hold is released and nobody pays anything.',
      payNote:
        'Held now, charged once everyone has paid, or when time runs out and the minimum is reached ({minimum}).',
      doneText:
        '{amount} is held on your card. It is charged once every share is held, or when time runs out and the minimum is reached ({minimum}); otherwise it is released.',
      chargingTitle: 'Being charged',
      chargingText: 'The shares that are held are being charged now.',
      shortTitle: 'Partly paid',
      shortText: 'Some shares have been charged. The others were not paid in time or could not be charged.',
      expiredText: 'When time ran out, the minimum was not reached ({minimum}), so nobody is charged.',
    },
    slots: { slots_one: '{n} share', slots_other: '{n} shares' },
  },
  es: {
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
      shortText: 'Algunas partes se han cobrado. Las demás no se pagaron a tiempo o no se pudieron cobrar.',
      expiredText:
        'Al acabarse el tiempo no se había alcanzado el mínimo ({minimum}), así que no se cobra a nadie.',
    },
    slots: { slots_one: '{n} parte', slots_other: '{n} partes' },
  },
  ca: {
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
      shortText: 'Algunes parts s’han cobrat. Les altres no s’han pagat a temps o no s’han pogut cobrar.',
      expiredText:
        'En acabar-se el temps no s’havia arribat al mínim ({minimum}), així que no es cobra a ningú.',
    },
    slots: { slots_one: '{n} part', slots_other: '{n} parts' },
  },
  fr: {
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
  },
  de: {
    sentences: {
      promise:
        'Abgebucht wird, wenn alle bezahlt haben oder wenn die Zeit um ist und das Minimum erreicht ist: {minimum}.',
      how3: 'Läuft die Zeit vorher ab und ist das Minimum erreicht ({minimum}), wird abgebucht, was bezahlt ist. Sonst werden alle Vormerkungen aufgehoben und niemand zahlt etwas.',
      payNote:
        'Jetzt vorgemerkt, abgebucht, wenn alle bezahlt haben oder wenn die Zeit um ist und das Minimum erreicht ist ({minimum}).',
      doneText:
        '{amount} sind auf Ihrer Karte vorgemerkt. Abgebucht wird, wenn alle Anteile vorgemerkt sind oder wenn die Zeit um ist und das Minimum erreicht ist ({minimum}); sonst wird die Vormerkung aufgehoben.',
      chargingTitle: 'Es wird abgebucht',
      chargingText: 'Die vorgemerkten Anteile werden jetzt abgebucht.',
      shortTitle: 'Teilweise bezahlt',
      shortText:
        'Einige Anteile sind abgebucht. Die anderen wurden nicht rechtzeitig bezahlt oder konnten nicht abgebucht werden.',
      expiredText:
        'Als die Zeit um war, war das Minimum nicht erreicht ({minimum}); niemandem wird etwas abgebucht.',
    },
    slots: { slots_one: '{n} Anteil', slots_other: '{n} Anteile' },
  },
  it: {
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
        'Alcune quote sono state addebitate. Le altre non sono state pagate in tempo o non è stato possibile addebitarle.',
      expiredText: 'Allo scadere del tempo il minimo non era raggiunto ({minimum}), quindi nessuno paga.',
    },
    slots: { slots_one: '{n} quota', slots_other: '{n} quote' },
  },
  pt: {
    sentences: {
      promise:
        'Os cartões são cobrados quando todos tiverem pago, ou quando o tempo acabar se o mínimo for atingido: {minimum}.',
      how3: 'Se o tempo acabar antes e o mínimo tiver sido atingido ({minimum}), é cobrado o que foi pago. Senão, tudo é libertado e ninguém paga nada.',
      payNote:
        'Retido agora, cobrado quando todos tiverem pago, ou quando o tempo acabar se o mínimo for atingido ({minimum}).',
      doneText:
        '{amount} estão retidos no seu cartão. São cobrados quando todas as partes estiverem retidas, ou quando o tempo acabar se o mínimo for atingido ({minimum}); senão são libertados.',
      chargingTitle: 'Cobrança em curso',
      chargingText: 'As partes retidas estão a ser cobradas.',
      shortTitle: 'Pago em parte',
      shortText:
        'Algumas partes foram cobradas. As outras não foram pagas a tempo ou não puderam ser cobradas.',
      expiredText:
        'Quando o tempo acabou, o mínimo não tinha sido atingido ({minimum}), por isso ninguém é cobrado.',
    },
    slots: { slots_one: '{n} parte', slots_other: '{n} partes' },
  },
  nl: {
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
        'Een aantal delen is afgeschreven. De andere zijn niet op tijd betaald of konden niet worden afgeschreven.',
      expiredText:
        'Toen de tijd om was, was het minimum niet gehaald ({minimum}), dus er wordt bij niemand afgeschreven.',
    },
    slots: { slots_one: '{n} deel', slots_other: '{n} delen' },
  },
  pl: {
    sentences: {
      promise:
        'Pieniądze zostaną pobrane, gdy zapłacą wszyscy albo gdy minie czas i osiągnięto minimum: {minimum}.',
      how3: 'Jeśli czas minie wcześniej i osiągnięto minimum ({minimum}), zostanie pobrane to, co zapłacono. W przeciwnym razie blokady zostaną zdjęte i nikt nic nie zapłaci.',
      payNote:
        'Teraz blokada, pobranie, gdy zapłacą wszyscy albo gdy minie czas i osiągnięto minimum ({minimum}).',
      doneText:
        'Na karcie zablokowano {amount}. Kwota zostanie pobrana, gdy zapłacą wszyscy albo gdy minie czas i osiągnięto minimum ({minimum}); w przeciwnym razie blokada zostanie zdjęta.',
      chargingTitle: 'Pobieramy pieniądze',
      chargingText: 'Właśnie pobieramy pieniądze za zablokowane części.',
      shortTitle: 'Zapłacono częściowo',
      shortText:
        'Za niektóre części pobrano pieniądze. Pozostałych nie opłacono na czas albo nie udało się ich pobrać.',
      expiredText: 'Gdy minął czas, nie osiągnięto minimum ({minimum}), więc od nikogo nic nie pobierzemy.',
    },
    slots: { slots_one: '{n} część', slots_other: '{n} części' },
  },
  sv: {
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
      shortText: 'Några delar har dragits. De andra betalades inte i tid eller gick inte att dra.',
      expiredText: 'När tiden var ute var minimum inte nått ({minimum}), så inga pengar dras från någon.',
    },
    slots: { slots_one: '{n} del', slots_other: '{n} delar' },
  },
  da: {
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
      shortText: 'Nogle andele er trukket. De andre blev ikke betalt i tide eller kunne ikke trækkes.',
      expiredText:
        'Da tiden var gået, var minimum ikke nået ({minimum}), så der trækkes ingen penge hos nogen.',
    },
    slots: { slots_one: '{n} andel', slots_other: '{n} andele' },
  },
  fi: {
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
      shortText: 'Osa osuuksista on veloitettu. Muita ei maksettu ajoissa tai ei voitu veloittaa.',
      expiredText:
        'Kun aika loppui, vähimmäismäärä ei ollut koossa ({minimum}), joten keneltäkään ei veloiteta mitään.',
    },
    slots: { slots_one: '{n} osuus', slots_other: '{n} osuutta' },
  },
  ro: {
    sentences: {
      promise:
        'Banii se încasează după ce plătesc toți sau la expirarea timpului, dacă s-a atins minimul: {minimum}.',
      how3: 'Dacă timpul expiră înainte și s-a atins minimul ({minimum}), se încasează ce s-a plătit. Altfel, toate sumele se deblochează și nimeni nu plătește nimic.',
      payNote:
        'Blocată acum, încasată după ce plătesc toți sau la expirarea timpului, dacă s-a atins minimul ({minimum}).',
      doneText:
        'Pe cardul dvs. s-au blocat {amount}. Suma se încasează când toate părțile sunt blocate sau la expirarea timpului, dacă s-a atins minimul ({minimum}); altfel se deblochează.',
      chargingTitle: 'Se încasează',
      chargingText: 'Părțile blocate se încasează acum.',
      shortTitle: 'Plătit parțial',
      shortText:
        'Unele părți au fost încasate. Celelalte nu au fost plătite la timp sau nu au putut fi încasate.',
      expiredText:
        'La expirarea timpului nu se atinsese minimul ({minimum}), așa că nimănui nu i se iau bani.',
    },
    slots: { slots_one: '{n} parte', slots_few: '{n} părți', slots_other: '{n} de părți' },
  },
  ar: {
    sentences: {
      promise: 'يتم الخصم بعد أن يدفع الجميع، أو عند انتهاء الوقت إذا تحقق الحد الأدنى: ⁨{minimum}⁩.',
      how3: 'إذا انتهى الوقت قبل ذلك وتحقق الحد الأدنى (⁨{minimum}⁩)، يتم خصم ما تم دفعه. وإلا فيتم إلغاء كل حجز ولا يدفع أحد شيئًا.',
      payNote:
        'يتم حجز المبلغ الآن، ويتم الخصم بعد أن يدفع الجميع، أو عند انتهاء الوقت إذا تحقق الحد الأدنى (⁨{minimum}⁩).',
      doneText:
        'تم حجز ⁨{amount}⁩ على بطاقتك. يتم الخصم بعد حجز كل الحصص، أو عند انتهاء الوقت إذا تحقق الحد الأدنى (⁨{minimum}⁩)، وإلا فسيتم إلغاء الحجز.',
      chargingTitle: 'جارٍ الخصم',
      chargingText: 'يتم الآن خصم الحصص المحجوزة.',
      shortTitle: 'تم الدفع جزئيًا',
      shortText: 'تم خصم بعض الحصص. أما الأخرى فلم تُدفع في الوقت أو تعذر خصمها.',
      expiredText: 'انتهى الوقت ولم يتحقق الحد الأدنى (⁨{minimum}⁩)، لذلك لن يتم الخصم من أحد.',
    },
    slots: { slots_one: 'عدد الحصص: ⁨{n}⁩', slots_other: 'عدد الحصص: ⁨{n}⁩' },
  },
};
