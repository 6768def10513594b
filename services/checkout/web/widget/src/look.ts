/** A test of a value, what a value must be, and true where a wrong one is left out instead of refused. */
export type Rule = readonly [is: (value: unknown) => boolean, what: string, isIgnored?: true];

export const isText = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value);

/** What a colour must be, as an error says it. */
export const A_COLOR = 'a colour like #0a7 or #00aa77';

const choose = (names: string): Rule => [isText(RegExp(`^(${names})$`)), names, true];

const COLOR =
  /^(#([\da-f]{3}){1,2}|rgb\(((1?\d?\d|2[0-4]\d|25[0-5])(, ?(?=\d)|(?=\)))){3}\)|white|black|ivory|navy)$/i;

/**
 * The rules of `theme` beside its accent. The loader and the frame both apply them, and the frame makes its styles of numbers
 * and of texts of its own: no text of a page becomes one.
 */
export const LOOK_RULES: Record<'colorScheme' | 'background' | 'radius' | 'font', Rule> = {
  colorScheme: choose('light|dark|auto'),
  background: [isText(COLOR), A_COLOR, true],
  // An attribute gives it as text.
  radius: [(value) => /^(1?\d|2[0-4])$/.test(value as string), '0 to 24', true],
  font: choose('system|sans-serif|serif|monospace|rounded'),
};
