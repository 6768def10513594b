import type { Locale } from '../bootstrap.ts';

type Page = { readonly title: string; readonly text: string };

/** Sentences that only the server writes: no browser fetches them. */
export type ServerMessages = {
  readonly frameTitle: string;
  readonly not_found: Page;
  readonly too_many: Page;
};

export const serverMessages: Readonly<Record<Locale, ServerMessages>> = {
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
      text: 'Prüfe den Link oder bitte um einen neuen, wo du ihn herhast.',
    },
    too_many: { title: 'Zu viele Besuche', text: 'Bitte warte eine Minute und versuche es wieder.' },
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
};
