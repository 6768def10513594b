import type { Theme } from '../host.ts';
import { chooseInk, parseHex, makeReadable, toHex, type Rgb } from './contrast.ts';

/** The darkest or lightest backgrounds of accents, in light and in dark mode: as in page.css. */
const GROUNDS: readonly (readonly ['light' | 'dark', Rgb])[] = [
  ['light', [244, 243, 239]],
  ['dark', [38, 40, 44]],
];

/**
 * Returns the colours of a merchant's accent, corrected until they can be read in light and in dark mode. A text
 * that is no colour changes nothing.
 */
export function accentProperties(wish: string | undefined): Readonly<Record<string, string>> {
  const colour = wish === undefined ? undefined : parseHex(wish);
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

/** Sets the properties through the object model, which a policy without inline styles allows. */
export function applyTheme({ accentColor }: Theme): void {
  for (const [name, value] of Object.entries(accentProperties(accentColor)))
    document.documentElement.style.setProperty(name, value);
}
