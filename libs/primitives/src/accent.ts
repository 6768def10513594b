import { chooseInk, makeReadable, parseHex, toHex, type Rgb } from './contrast.ts';

/** The darkest or lightest backgrounds behind accents of payers' pages, in light and in dark mode. */
const GROUNDS: readonly (readonly ['light' | 'dark', Rgb])[] = [
  ['light', [244, 243, 239]],
  ['dark', [38, 40, 44]],
];

/**
 * Returns the colours of a merchant's accent as properties of CSS, `--accent-light`, `--on-accent-light` and the same for
 * `dark`, corrected until they can be read. A text that is no colour, `#rgb` or `#rrggbb`, has none.
 */
export function accentProperties(wish: string | null | undefined): Readonly<Record<string, string>> {
  const colour = parseHex(wish ?? '');
  if (!colour) return {};
  return Object.fromEntries(
    GROUNDS.flatMap(([scheme, ground]) => {
      const accent = makeReadable(colour, ground);
      return [
        [`--accent-${scheme}`, toHex(accent)],
        [`--on-accent-${scheme}`, toHex(chooseInk(accent))],
      ];
    }),
  );
}
