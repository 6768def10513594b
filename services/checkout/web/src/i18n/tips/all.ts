import type { Language } from '../../bootstrap.ts';
import type { TipMessages } from './messages.ts';

/** The sentences about tips in every language; only the server writes them. */
export const tipMessages: Readonly<Record<Language, TipMessages>> = {
  en: {
    title: 'Add a tip?',
    none: 'No tip',
    other: 'Another amount',
    most: 'At most {amount}',
    included: 'Including a tip of {amount}',
  },
  es: {
    title: '¿Quieres añadir una propina?',
    none: 'Sin propina',
    other: 'Otro importe',
    most: 'Como máximo {amount}',
    included: 'Incluye una propina de {amount}',
  },
  ca: {
    title: 'Vols afegir-hi una propina?',
    none: 'Sense propina',
    other: 'Un altre import',
    most: 'Com a màxim {amount}',
    included: 'Inclou una propina de {amount}',
  },
  fr: {
    title: 'Ajouter un pourboire ?',
    none: 'Pas de pourboire',
    other: 'Autre montant',
    most: '{amount} au maximum',
    included: 'Dont un pourboire de {amount}',
  },
  de: {
    title: 'Trinkgeld dazugeben?',
    none: 'Kein Trinkgeld',
    other: 'Anderer Betrag',
    most: 'Höchstens {amount}',
    included: 'Darin {amount} Trinkgeld',
  },
  it: {
    title: 'Aggiungere una mancia?',
    none: 'Nessuna mancia',
    other: 'Altro importo',
    most: 'Al massimo {amount}',
    included: 'Inclusa una mancia di {amount}',
  },
  pt: {
    title: 'Adicionar uma gorjeta?',
    none: 'Sem gorjeta',
    other: 'Outro valor',
    most: 'No máximo {amount}',
    included: 'Inclui uma gorjeta de {amount}',
  },
  nl: {
    title: 'Fooi toevoegen?',
    none: 'Geen fooi',
    other: 'Ander bedrag',
    most: 'Hoogstens {amount}',
    included: 'Inclusief {amount} fooi',
  },
  pl: {
    title: 'Dodać napiwek?',
    none: 'Bez napiwku',
    other: 'Inna kwota',
    most: 'Najwyżej {amount}',
    included: 'W tym napiwek {amount}',
  },
  sv: {
    title: 'Lägga till dricks?',
    none: 'Ingen dricks',
    other: 'Annat belopp',
    most: 'Högst {amount}',
    included: 'Varav {amount} i dricks',
  },
  da: {
    title: 'Vil du give drikkepenge?',
    none: 'Ingen drikkepenge',
    other: 'Et andet beløb',
    most: 'Højst {amount}',
    included: 'Heraf {amount} i drikkepenge',
  },
  fi: {
    title: 'Lisätäänkö juomaraha?',
    none: 'Ei juomarahaa',
    other: 'Muu summa',
    most: 'Enintään {amount}',
    included: 'Tästä juomarahaa {amount}',
  },
  ro: {
    title: 'Adăugați un bacșiș?',
    none: 'Fără bacșiș',
    other: 'Altă sumă',
    most: 'Cel mult {amount}',
    included: 'Include un bacșiș de {amount}',
  },
  ar: {
    title: 'هل تريد إضافة إكرامية؟',
    none: 'بدون إكرامية',
    other: 'مبلغ آخر',
    most: 'بحد أقصى \u2068{amount}\u2069',
    included: 'يشمل إكرامية قدرها \u2068{amount}\u2069',
  },
};
