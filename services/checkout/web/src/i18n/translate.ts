import type { MessageKey, Messages, PluralStem } from './en.ts';

export type Values = Readonly<Record<string, string | number>>;

export type Translate = {
  /** Returns the sentence of a key, filled in. */
  (key: MessageKey, values?: Values): string;
  /** Returns the sentence for this number of things, which it may contain as `{n}`. */
  many(key: PluralStem, n: number, values?: Values): string;
};

/** Returns the translations of one language. A plural form that the language does not state is its `_other`. */
export function translator(locale: string, messages: Messages): Translate {
  const rules = new Intl.PluralRules(locale);
  const fill = (text: string, values: Values = {}): string =>
    text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  const translate = (key: MessageKey, values?: Values): string => fill(messages[key], values);
  const many = (key: PluralStem, n: number, values?: Values): string =>
    fill(messages[`${key}_${rules.select(n)}`] ?? messages[`${key}_other`], { n, ...values });
  return Object.assign(translate, { many });
}
