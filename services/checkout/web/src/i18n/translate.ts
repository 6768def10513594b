import type { MessageKey } from './en.ts';

export type Values = Readonly<Record<string, string | number>>;

/** The keys of sentences that depend on a number, without the form. */
export type StemOf<Key extends string> = Key extends `${infer Stem}_one` ? Stem : never;

/** The sentences of the checkout page, or of another page with keys of its own. */
export type Translate<Key extends string = MessageKey> = {
  /** Returns the sentence of a key, filled in. */
  (key: Key, values?: Values): string;
  /** Returns the sentence for this number of things, which it may contain as `{n}`. */
  many(key: StemOf<Key>, n: number, values?: Values): string;
};

/** Returns the translations of one language. A plural form that the language does not state is its `_other`. */
export function translator<Key extends string = MessageKey>(
  locale: string,
  messages: Readonly<Record<NoInfer<Key>, string>>,
): Translate<Key> {
  const rules = new Intl.PluralRules(locale);
  const texts: Readonly<Record<string, string>> = messages;
  const fill = (text = '', values: Values = {}): string =>
    text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  const translate = (key: Key, values?: Values): string => fill(texts[key], values);
  const many = (key: StemOf<Key>, n: number, values?: Values): string =>
    fill(texts[`${key}_${rules.select(n)}`] ?? texts[`${key}_other`], { n, ...values });
  return Object.assign(translate, { many });
}
