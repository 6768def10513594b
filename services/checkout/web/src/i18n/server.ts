import type { Language } from '../bootstrap.ts';

type Page = { readonly title: string; readonly text: string };

/** Sentences that only the server writes: no browser fetches them. */
export type ServerMessages = {
  readonly frameTitle: string;
  readonly not_found: Page;
  readonly too_many: Page;
};

export const serverMessages: Readonly<Record<Language, ServerMessages>> = {
  en: {
    frameTitle: 'Payment',
    not_found: {
      title: 'This page does not exist',
      text: 'Please check the link, or ask whoever sent it to you for a new one.',
    },
    too_many: { title: 'Too many visits', text: 'Please wait a minute and try again.' },
  },
  es: {
    frameTitle: 'Pago',
    not_found: {
      title: 'Esta página no existe',
      text: 'Revisa el enlace o pide uno nuevo a quien te lo envió.',
    },
    too_many: { title: 'Demasiadas visitas', text: 'Espera un minuto e inténtalo de nuevo.' },
  },
  ca: {
    frameTitle: 'Pagament',
    not_found: {
      title: 'Aquesta pàgina no existeix',
      text: 'Revisa l’enllaç o demana’n un de nou a qui te’l va enviar.',
    },
    too_many: { title: 'Massa visites', text: 'Espera un minut i torna-ho a provar.' },
  },
  fr: {
    frameTitle: 'Paiement',
    not_found: {
      title: 'Cette page n’existe pas',
      text: 'Vérifiez le lien ou demandez-en un nouveau à qui vous l’a envoyé.',
    },
    too_many: { title: 'Trop de visites', text: 'Attendez une minute et réessayez.' },
  },
  de: {
    frameTitle: 'Zahlung',
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
    not_found: {
      title: 'Questa pagina non esiste',
      text: 'Controlla il link o chiedine uno nuovo a chi te l’ha mandato.',
    },
    too_many: { title: 'Troppe visite', text: 'Aspetta un minuto e riprova.' },
  },
  pt: {
    frameTitle: 'Pagamento',
    not_found: {
      title: 'Esta página não existe',
      text: 'Verifique a ligação ou peça uma nova a quem lha enviou.',
    },
    too_many: { title: 'Demasiadas visitas', text: 'Espere um minuto e tente de novo.' },
  },
  nl: {
    frameTitle: 'Betaling',
    not_found: {
      title: 'Deze pagina bestaat niet',
      text: 'Controleer de link, of vraag een nieuwe aan wie hem je heeft gestuurd.',
    },
    too_many: { title: 'Te veel bezoeken', text: 'Wacht een minuut en probeer het opnieuw.' },
  },
  pl: {
    frameTitle: 'Płatność',
    not_found: {
      title: 'Ta strona nie istnieje',
      text: 'Sprawdź link albo poproś nadawcę o nowy.',
    },
    too_many: { title: 'Zbyt wiele odwiedzin', text: 'Odczekaj minutę i spróbuj ponownie.' },
  },
  sv: {
    frameTitle: 'Betalning',
    not_found: {
      title: 'Sidan finns inte',
      text: 'Kontrollera länken, eller be den som skickade den om en ny.',
    },
    too_many: { title: 'För många besök', text: 'Vänta en minut och försök igen.' },
  },
  da: {
    frameTitle: 'Betaling',
    not_found: {
      title: 'Siden findes ikke',
      text: 'Tjek linket, eller bed den, der sendte det, om et nyt.',
    },
    too_many: { title: 'For mange besøg', text: 'Vent et minut, og prøv igen.' },
  },
  fi: {
    frameTitle: 'Maksu',
    not_found: {
      title: 'Tätä sivua ei ole',
      text: 'Tarkista linkki tai pyydä uusi siltä, joka sen lähetti.',
    },
    too_many: { title: 'Liian monta käyntiä', text: 'Odota minuutti ja yritä uudelleen.' },
  },
  ro: {
    frameTitle: 'Plată',
    not_found: {
      title: 'Această pagină nu există',
      text: 'Verificați linkul sau cereți unul nou celui care vi l-a trimis.',
    },
    too_many: { title: 'Prea multe vizite', text: 'Așteptați un minut și încercați din nou.' },
  },
  ar: {
    frameTitle: 'الدفع',
    not_found: {
      title: 'هذه الصفحة غير موجودة',
      text: 'تحقق من الرابط، أو اطلب رابطًا جديدًا ممن أرسله إليك.',
    },
    too_many: { title: 'زيارات كثيرة', text: 'انتظر دقيقة ثم حاول مجددًا.' },
  },
};
