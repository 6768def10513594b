import type { Messages } from './en.ts';

export type Values = Readonly<Record<string, string | number>>;
type PluralKey = Extract<keyof Messages, `${string}One`> extends `${infer Stem}One` ? Stem : never;

export type Translate = {
  /** Returns the sentence of a key, filled in. */
  (key: keyof Messages, values?: Values): string;
  /** Returns the sentence for this number of things, which it may contain as `{n}`. */
  many(key: PluralKey, n: number, values?: Values): string;
};

/** Returns the translations of one language. */
export function translator(locale: string, messages: Messages): Translate {
  const rules = new Intl.PluralRules(locale);
  const translate = (key: keyof Messages, values: Values = {}): string =>
    messages[key].replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  const many = (key: PluralKey, n: number, values: Values = {}): string =>
    translate(`${key}${rules.select(n) === 'one' ? 'One' : 'Other'}`, { n, ...values });
  return Object.assign(translate, { many });
}
