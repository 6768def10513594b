import type { Language } from '../bootstrap.ts';

type Page = { readonly title: string; readonly text: string };

/** Sentences that only the server writes: no browser fetches them. */
export type ServerMessages = {
  readonly frameTitle: string;
  /** In the widget's frame, on a page whose origin no merchant has registered. */
  readonly unregistered: Page;
  readonly not_found: Page;
  readonly too_many: Page;
};

export const serverMessages: Readonly<Record<Language, ServerMessages>> = {
  en: {
    frameTitle: 'Payment',
    unregistered: {
      title: 'You cannot pay on this page yet',
      text: 'The merchant has not set this page up for payments. Nothing was charged. Please tell the merchant, or use the payment link if you have one.',
    },
    not_found: {
      title: 'This page does not exist',
      text: 'Please check the link, or ask whoever sent it to you for a new one.',
    },
    too_many: { title: 'Too many visits', text: 'Please wait a minute and try again.' },
  },
  es: {
    frameTitle: 'Pago',
    unregistered: {
      title: 'Aún no se puede pagar en esta página',
      text: 'El comercio no ha preparado esta página para cobrar. No se ha cobrado nada. Avísale, o usa el enlace de pago si lo tienes.',
    },
    not_found: {
      title: 'Esta página no existe',
      text: 'Revisa el enlace o pide uno nuevo a quien te lo envió.',
    },
    too_many: { title: 'Demasiadas visitas', text: 'Espera un minuto e inténtalo de nuevo.' },
  },
  ca: {
    frameTitle: 'Pagament',
    unregistered: {
      title: 'Encara no es pot pagar en aquesta pàgina',
      text: 'El comerç no ha preparat aquesta pàgina per cobrar. No s’ha cobrat res. Avisa’l, o fes servir l’enllaç de pagament si el tens.',
    },
    not_found: {
      title: 'Aquesta pàgina no existeix',
      text: 'Revisa l’enllaç o demana’n un de nou a qui te’l va enviar.',
    },
    too_many: { title: 'Massa visites', text: 'Espera un minut i torna-ho a provar.' },
  },
  fr: {
    frameTitle: 'Paiement',
    unregistered: {
      title: 'Le paiement n’est pas encore possible sur cette page',
      text: 'Le marchand n’a pas préparé cette page pour les paiements. Rien n’a été débité. Prévenez-le, ou utilisez le lien de paiement si vous en avez un.',
    },
    not_found: {
      title: 'Cette page n’existe pas',
      text: 'Vérifiez le lien ou demandez-en un nouveau à qui vous l’a envoyé.',
    },
    too_many: { title: 'Trop de visites', text: 'Attendez une minute et réessayez.' },
  },
  de: {
    frameTitle: 'Zahlung',
    unregistered: {
      title: 'Auf dieser Seite können Sie noch nicht zahlen',
      text: 'Der Händler hat diese Seite nicht für Zahlungen eingerichtet. Es wurde nichts abgebucht. Sagen Sie ihm Bescheid, oder nutzen Sie den Zahlungslink, wenn Sie einen haben.',
    },
    not_found: {
      title: 'Diese Seite gibt es nicht',
      text: 'Prüfen Sie den Link oder bitten Sie dort, wo Sie ihn herhaben, um einen neuen.',
    },
    too_many: {
      title: 'Zu viele Besuche',
      text: 'Bitte warten Sie eine Minute und versuchen Sie es wieder.',
    },
  },
  it: {
    frameTitle: 'Pagamento',
    unregistered: {
      title: 'Su questa pagina non si può ancora pagare',
      text: 'Il negozio non ha preparato questa pagina per i pagamenti. Non è stato addebitato nulla. Avvisalo, oppure usa il link di pagamento se ne hai uno.',
    },
    not_found: {
      title: 'Questa pagina non esiste',
      text: 'Controlla il link o chiedine uno nuovo a chi te l’ha mandato.',
    },
    too_many: { title: 'Troppe visite', text: 'Aspetta un minuto e riprova.' },
  },
  pt: {
    frameTitle: 'Pagamento',
    unregistered: {
      title: 'Ainda não se pode pagar nesta página',
      text: 'O comerciante não preparou esta página para pagamentos. Nada foi cobrado. Avise-o, ou use a ligação de pagamento, se a tiver.',
    },
    not_found: {
      title: 'Esta página não existe',
      text: 'Verifique a ligação ou peça uma nova a quem lha enviou.',
    },
    too_many: { title: 'Demasiadas visitas', text: 'Espere um minuto e tente de novo.' },
  },
  nl: {
    frameTitle: 'Betaling',
    unregistered: {
      title: 'Op deze pagina kun je nog niet betalen',
      text: 'De verkoper heeft deze pagina niet ingesteld voor betalingen. Er is niets afgeschreven. Laat het de verkoper weten, of gebruik de betaallink als je die hebt.',
    },
    not_found: {
      title: 'Deze pagina bestaat niet',
      text: 'Controleer de link, of vraag een nieuwe aan wie hem je heeft gestuurd.',
    },
    too_many: { title: 'Te veel bezoeken', text: 'Wacht een minuut en probeer het opnieuw.' },
  },
  pl: {
    frameTitle: 'Płatność',
    unregistered: {
      title: 'Na tej stronie nie można jeszcze płacić',
      text: 'Sprzedawca nie przygotował tej strony do płatności. Niczego nie pobrano. Daj znać sprzedawcy albo użyj linku do płatności, jeśli go masz.',
    },
    not_found: {
      title: 'Ta strona nie istnieje',
      text: 'Sprawdź link albo poproś nadawcę o nowy.',
    },
    too_many: { title: 'Zbyt wiele odwiedzin', text: 'Odczekaj minutę i spróbuj ponownie.' },
  },
  sv: {
    frameTitle: 'Betalning',
    unregistered: {
      title: 'Det går inte att betala på den här sidan än',
      text: 'Säljaren har inte ställt in sidan för betalningar. Inget har debiterats. Säg gärna till säljaren, eller använd betalningslänken om du har en.',
    },
    not_found: {
      title: 'Sidan finns inte',
      text: 'Kontrollera länken, eller be den som skickade den om en ny.',
    },
    too_many: { title: 'För många besök', text: 'Vänta en minut och försök igen.' },
  },
  da: {
    frameTitle: 'Betaling',
    unregistered: {
      title: 'Du kan ikke betale på denne side endnu',
      text: 'Forretningen har ikke gjort siden klar til betalinger. Der er ikke trukket noget. Sig det gerne til forretningen, eller brug betalingslinket, hvis du har et.',
    },
    not_found: {
      title: 'Siden findes ikke',
      text: 'Tjek linket, eller bed den, der sendte det, om et nyt.',
    },
    too_many: { title: 'For mange besøg', text: 'Vent et minut, og prøv igen.' },
  },
  fi: {
    frameTitle: 'Maksu',
    unregistered: {
      title: 'Tällä sivulla ei voi vielä maksaa',
      text: 'Kauppias ei ole ottanut maksuja käyttöön tällä sivulla. Mitään ei ole veloitettu. Kerro siitä kauppiaalle tai käytä maksulinkkiä, jos sinulla on sellainen.',
    },
    not_found: {
      title: 'Tätä sivua ei ole',
      text: 'Tarkista linkki tai pyydä uusi siltä, joka sen lähetti.',
    },
    too_many: { title: 'Liian monta käyntiä', text: 'Odota minuutti ja yritä uudelleen.' },
  },
  ro: {
    frameTitle: 'Plată',
    unregistered: {
      title: 'Încă nu se poate plăti pe această pagină',
      text: 'Comerciantul nu a pregătit această pagină pentru plăți. Nu s-a încasat nimic. Anunțați comerciantul sau folosiți linkul de plată, dacă aveți unul.',
    },
    not_found: {
      title: 'Această pagină nu există',
      text: 'Verificați linkul sau cereți unul nou celui care vi l-a trimis.',
    },
    too_many: { title: 'Prea multe vizite', text: 'Așteptați un minut și încercați din nou.' },
  },
  ar: {
    frameTitle: 'الدفع',
    unregistered: {
      title: 'لا يمكن الدفع في هذه الصفحة بعد',
      text: 'لم يُعِدّ التاجر هذه الصفحة للدفع. لم يُخصم أي مبلغ. أخبر التاجر، أو استخدم رابط الدفع إن كان لديك.',
    },
    not_found: {
      title: 'هذه الصفحة غير موجودة',
      text: 'تحقق من الرابط، أو اطلب رابطًا جديدًا ممن أرسله إليك.',
    },
    too_many: { title: 'زيارات كثيرة', text: 'انتظر دقيقة ثم حاول مجددًا.' },
  },
};
