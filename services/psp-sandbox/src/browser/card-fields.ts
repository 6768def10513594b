import { findBrand, type Brand } from '../domain/card-number.ts';
import {
  cvcFault,
  expiryFault,
  parseExpiry,
  groupedNumber,
  numberFault,
  shapedExpiry,
  type Card,
  type FieldFault,
  type FieldName,
} from './card-typing.ts';
import { newField, type Field } from './field.ts';
import { cardWords, type CardErrorCode, type CardWords, type Locale } from './card-words.ts';

/** The state of the fields as a whole; it reveals nothing of what was typed. */
export type FieldsState = {
  readonly complete: boolean;
  readonly empty: boolean;
  readonly brand: Brand;
  readonly error: ShownFault | null;
};
export type ShownFault = FieldFault & { readonly message: string };

export type CardFields = {
  /** Returns the card, or the first fault; that field then shows it and has the focus. */
  read(): { readonly card: Card } | { readonly fault: ShownFault };
  setLocale(locale: Locale): void;
  setDisabled(isDisabled: boolean): void;
  focus(): void;
  blur(): void;
  /** Clears the card. */
  clear(): void;
};

/** Fills a form with the three fields of a card; `onChange` is called with every change of their state. */
export function cardFields(form: HTMLFormElement, onChange: (state: FieldsState) => void): CardFields {
  let words: CardWords = cardWords.en;
  /** A field shows its fault once the payer has left it, or once the card was requested. */
  const complaining = new Set<FieldName>();
  const fields: Readonly<Record<FieldName, Field>> = {
    number: newField(form, 'number', 'cc-number', '1234 1234 1234 1234'),
    expiry: newField(form, 'expiry', 'cc-exp', words.expiryPattern),
    cvc: newField(form, 'cvc', 'cc-csc', '123'),
  };
  const names = Object.keys(fields) as FieldName[];
  const { number, expiry, cvc } = fields;

  const findFieldCode = (name: FieldName): CardErrorCode | null => {
    if (name === 'number') return numberFault(number.text());
    if (name === 'expiry') return expiryFault(expiry.text(), new Date());
    return cvcFault(cvc.text(), number.text());
  };
  const findShownFault = (name: FieldName): ShownFault | undefined => {
    const code = findFieldCode(name);
    return code === null ? undefined : { field: name, code, message: words[code] };
  };
  const changed = (): void => {
    const faults = names.map(findShownFault).filter((fault) => fault !== undefined);
    const shown = faults.filter(({ field }) => complaining.has(field));
    for (const name of names) fields[name].complain(shown.find(({ field }) => field === name)?.message);
    const brand = findBrand(number.text());
    number.mark(brand);
    const empty = names.every((name) => fields[name].text() === '');
    onChange({ complete: faults.length === 0, empty, brand, error: shown[0] ?? null });
  };
  const shape: Readonly<Record<FieldName, (text: string, isDeleting: boolean) => string>> = {
    number: groupedNumber,
    expiry: shapedExpiry,
    cvc: (text) => text.replace(/\D/g, '').slice(0, findBrand(number.text()) === 'amex' ? 4 : 3),
  };
  for (const name of names) {
    fields[name].onTyped(shape[name], changed);
    fields[name].onLeft(() => {
      if (fields[name].text() === '') return;
      complaining.add(name);
      changed();
    });
  }

  return {
    read() {
      names.forEach((name) => complaining.add(name));
      changed();
      const fault = names.map(findShownFault).find((found) => found !== undefined);
      if (!fault) {
        const digits = number.text().replace(/\D/g, '');
        return { card: { number: digits, ...parseExpiry(expiry.text()), cvc: cvc.text() } };
      }
      fields[fault.field].focus();
      return { fault };
    },
    setLocale(locale) {
      words = cardWords[locale];
      const { documentElement } = form.ownerDocument;
      documentElement.lang = locale;
      documentElement.dir = words.direction ?? 'ltr';
      names.forEach((name) => fields[name].name(words[name]));
      expiry.hint(words.expiryPattern);
      changed();
    },
    setDisabled: (isDisabled) => names.forEach((name) => fields[name].setDisabled(isDisabled)),
    focus: () => (names.map((name) => fields[name]).find((field) => field.text() === '') ?? number).focus(),
    blur: () => names.forEach((name) => fields[name].blur()),
    clear() {
      complaining.clear();
      names.forEach((name) => fields[name].write(''));
      changed();
    },
  };
}
