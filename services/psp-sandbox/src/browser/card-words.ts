export const LOCALES = [
  'en',
  'es',
  'ca',
  'fr',
  'de',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'fi',
  'ro',
  'ar',
] as const;
export type Locale = (typeof LOCALES)[number];

/** The error of a card as it was typed. */
export type CardErrorCode =
  | 'incomplete_number'
  | 'invalid_number'
  | 'incomplete_expiry'
  | 'invalid_expiry_month_past'
  | 'incomplete_cvc';

export type CardWords = {
  /** Stated by languages that are written from right to left. */
  readonly direction?: 'rtl';
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
  /** The pattern in which a date is typed, in the letters of the language. */
  readonly expiryPattern: string;
} & Readonly<Record<CardErrorCode, string>>;

export const cardWords: Readonly<Record<Locale, CardWords>> = {
  en: {
    number: 'Card number',
    expiry: 'Expiry date',
    cvc: 'Security code',
    expiryPattern: 'MM / YY',
    incomplete_number: 'Enter the whole card number.',
    invalid_number: 'This card number is not right. Check its digits.',
    incomplete_expiry: 'Enter month and year, as on the card.',
    invalid_expiry_month_past: 'This date is past. Check it, or use another card.',
    incomplete_cvc: 'Enter the security code of the card.',
  },
  es: {
    number: 'Número de tarjeta',
    expiry: 'Caducidad',
    cvc: 'Código de seguridad',
    expiryPattern: 'MM / AA',
    incomplete_number: 'Escribe el número completo de la tarjeta.',
    invalid_number: 'El número de la tarjeta no es correcto. Revisa sus cifras.',
    incomplete_expiry: 'Escribe el mes y el año, como en la tarjeta.',
    invalid_expiry_month_past: 'Esta fecha ya ha pasado. Revísala o usa otra tarjeta.',
    incomplete_cvc: 'Escribe el código de seguridad de la tarjeta.',
  },
  ca: {
    number: 'Número de targeta',
    expiry: 'Caducitat',
    cvc: 'Codi de seguretat',
    expiryPattern: 'MM / AA',
    incomplete_number: 'Escriu el número complet de la targeta.',
    invalid_number: 'El número de la targeta no és correcte. Revisa les xifres.',
    incomplete_expiry: 'Escriu el mes i l’any, com a la targeta.',
    invalid_expiry_month_past: 'Aquesta data ja ha passat. Revisa-la o fes servir una altra targeta.',
    incomplete_cvc: 'Escriu el codi de seguretat de la targeta.',
  },
  fr: {
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    cvc: 'Code de sécurité',
    expiryPattern: 'MM / AA',
    incomplete_number: 'Saisissez le numéro complet de la carte.',
    invalid_number: 'Ce numéro de carte n’est pas correct. Vérifiez ses chiffres.',
    incomplete_expiry: 'Saisissez le mois et l’année, comme sur la carte.',
    invalid_expiry_month_past: 'Cette date est passée. Vérifiez-la ou utilisez une autre carte.',
    incomplete_cvc: 'Saisissez le code de sécurité de la carte.',
  },
  de: {
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    cvc: 'Prüfnummer',
    expiryPattern: 'MM / JJ',
    incomplete_number: 'Geben Sie die ganze Kartennummer ein.',
    invalid_number: 'Diese Kartennummer stimmt nicht. Prüfen Sie die Ziffern.',
    incomplete_expiry: 'Geben Sie Monat und Jahr ein, wie auf der Karte.',
    invalid_expiry_month_past: 'Dieses Datum ist vorbei. Prüfen Sie es oder nehmen Sie eine andere Karte.',
    incomplete_cvc: 'Geben Sie die Prüfnummer der Karte ein.',
  },
  it: {
    number: 'Numero della carta',
    expiry: 'Scadenza',
    cvc: 'Codice di sicurezza',
    expiryPattern: 'MM / AA',
    incomplete_number: 'Inserisci il numero completo della carta.',
    invalid_number: 'Il numero della carta non è corretto. Controlla le cifre.',
    incomplete_expiry: 'Inserisci mese e anno, come sulla carta.',
    invalid_expiry_month_past: 'Questa data è passata. Controllala o usa un’altra carta.',
    incomplete_cvc: 'Inserisci il codice di sicurezza della carta.',
  },
  pt: {
    number: 'Número do cartão',
    expiry: 'Validade',
    cvc: 'Código de segurança',
    expiryPattern: 'MM / AA',
    incomplete_number: 'Introduza o número completo do cartão.',
    invalid_number: 'O número do cartão não está correto. Verifique os algarismos.',
    incomplete_expiry: 'Introduza o mês e o ano, como no cartão.',
    invalid_expiry_month_past: 'Esta data já passou. Verifique-a ou use outro cartão.',
    incomplete_cvc: 'Introduza o código de segurança do cartão.',
  },
  nl: {
    number: 'Kaartnummer',
    expiry: 'Vervaldatum',
    cvc: 'Beveiligingscode',
    expiryPattern: 'MM / JJ',
    incomplete_number: 'Vul het hele kaartnummer in.',
    invalid_number: 'Dit kaartnummer klopt niet. Controleer de cijfers.',
    incomplete_expiry: 'Vul de maand en het jaar in, zoals op de kaart.',
    invalid_expiry_month_past: 'Deze datum is voorbij. Controleer hem of neem een andere kaart.',
    incomplete_cvc: 'Vul de beveiligingscode van de kaart in.',
  },
  pl: {
    number: 'Numer karty',
    expiry: 'Data ważności',
    cvc: 'Kod zabezpieczający',
    expiryPattern: 'MM / RR',
    incomplete_number: 'Wpisz pełny numer karty.',
    invalid_number: 'Ten numer karty jest nieprawidłowy. Sprawdź cyfry.',
    incomplete_expiry: 'Wpisz miesiąc i rok, tak jak na karcie.',
    invalid_expiry_month_past: 'Ta data już minęła. Sprawdź ją lub użyj innej karty.',
    incomplete_cvc: 'Wpisz kod zabezpieczający karty.',
  },
  sv: {
    number: 'Kortnummer',
    expiry: 'Giltigt till',
    cvc: 'Säkerhetskod',
    expiryPattern: 'MM / ÅÅ',
    incomplete_number: 'Fyll i hela kortnumret.',
    invalid_number: 'Kortnumret stämmer inte. Kontrollera siffrorna.',
    incomplete_expiry: 'Fyll i månad och år, som på kortet.',
    invalid_expiry_month_past: 'Datumet har passerat. Kontrollera det eller använd ett annat kort.',
    incomplete_cvc: 'Fyll i kortets säkerhetskod.',
  },
  da: {
    number: 'Kortnummer',
    expiry: 'Udløbsdato',
    cvc: 'Sikkerhedskode',
    expiryPattern: 'MM / ÅÅ',
    incomplete_number: 'Indtast hele kortnummeret.',
    invalid_number: 'Kortnummeret er ikke rigtigt. Tjek cifrene.',
    incomplete_expiry: 'Indtast måned og år som på kortet.',
    invalid_expiry_month_past: 'Datoen er overskredet. Tjek den, eller brug et andet kort.',
    incomplete_cvc: 'Indtast kortets sikkerhedskode.',
  },
  fi: {
    number: 'Kortin numero',
    expiry: 'Voimassa',
    cvc: 'Turvakoodi',
    expiryPattern: 'KK / VV',
    incomplete_number: 'Anna kortin koko numero.',
    invalid_number: 'Kortin numero ei ole oikein. Tarkista numerot.',
    incomplete_expiry: 'Anna kuukausi ja vuosi niin kuin ne ovat kortissa.',
    invalid_expiry_month_past: 'Päivämäärä on jo mennyt. Tarkista se tai käytä toista korttia.',
    incomplete_cvc: 'Anna kortin turvakoodi.',
  },
  ro: {
    number: 'Numărul cardului',
    expiry: 'Data expirării',
    cvc: 'Cod de securitate',
    expiryPattern: 'LL / AA',
    incomplete_number: 'Introduceți întreg numărul cardului.',
    invalid_number: 'Numărul cardului nu este corect. Verificați cifrele.',
    incomplete_expiry: 'Introduceți luna și anul, ca pe card.',
    invalid_expiry_month_past: 'Această dată a trecut. Verificați-o sau folosiți alt card.',
    incomplete_cvc: 'Introduceți codul de securitate al cardului.',
  },
  ar: {
    direction: 'rtl',
    number: 'رقم البطاقة',
    expiry: 'تاريخ الانتهاء',
    cvc: 'رمز الأمان',
    // In Latin letters: the field runs from left to right, as dates on cards do.
    expiryPattern: 'MM / YY',
    incomplete_number: 'أدخل رقم البطاقة كاملًا.',
    invalid_number: 'رقم البطاقة غير صحيح. تحقق من الأرقام.',
    incomplete_expiry: 'أدخل الشهر والسنة كما على البطاقة.',
    invalid_expiry_month_past: 'مضى هذا التاريخ. تحقق منه أو استخدم بطاقة أخرى.',
    incomplete_cvc: 'أدخل رمز أمان البطاقة.',
  },
};
