import { chooseInk, contrast, makeReadable, mix, parseHex, toHex, type Rgb } from '@gp/primitives';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** Texts and marks, whose contrast on every ground is at least 4.5. */
export const MARKS = ['ink', 'muted', 'good', 'busy', 'danger', 'line-strong', 'accent'] as const;
/** Grounds that a background does not change. */
export const TINTS = ['good-tint', 'busy-tint', 'danger-tint'] as const;

/** The colours of a scheme in `base.css`, as they stand there. */
export type BaseColors = Readonly<Record<(typeof MARKS | typeof TINTS)[number], string>>;

/** Returns the scheme whose texts can be read on a background. */
export const findScheme = (background: Rgb): 'light' | 'dark' =>
  chooseInk(background)[0] === 0 ? 'light' : 'dark';

/**
 * Returns the properties of CSS for a page with this background: cards and fields a shade of it, and the marks of `base`, the colours of
 * `findScheme(background)`, each corrected until it can be read on all of them.
 */
export function buildPalette(background: Rgb, base: BaseColors): Readonly<Record<string, string>> {
  const surface = findSurface(background);
  const others = [surface, ...TINTS.map((name) => parseHex(base[name]) ?? background)];
  const marks = MARKS.map(
    (name) => [name, makeReadable(parseHex(base[name]) ?? BLACK, background, ...others)] as const,
  );
  const [, accent] = marks.at(-1) ?? [];
  const colors = [
    ['paper', background],
    ['surface', surface],
    ['field', surface],
    ...marks,
    ['on-accent', chooseInk(accent ?? BLACK)],
  ] as const;
  return Object.fromEntries(colors.map(([name, color]) => [`--${name}`, toHex(color)]));
}

/** A card is lighter than its background, except where light texts on it would lose their contrast. */
function findSurface(background: Rgb): Rgb {
  const shade = (towards: Rgb, share: number): Rgb =>
    parseHex(toHex(mix(background, towards, share))) ?? background;
  if (findScheme(background) === 'light') return shade(WHITE, 0.6);
  const lighter = shade(WHITE, 0.06);
  return contrast(lighter, WHITE) >= 7 ? lighter : shade(BLACK, 0.2);
}
