/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** WCAG 2.2 requires this of text and of marks that carry meaning. */
const TEXT_CONTRAST = 4.5;

/** Reads `#rgb` or `#rrggbb`; returns undefined for other text, so that no style is injected as a colour. */
export function parseHex(text: string): Rgb | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  const parts = short?.slice(1).map((digit) => digit + digit) ?? long?.slice(1);
  if (!parts) return undefined;
  const [r = 0, g = 0, b = 0] = parts.map((part) => Number.parseInt(part, 16));
  return [r, g, b];
}

export const toHex = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the colour at this share, 0 to 1, of the way from one to another. */
export const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/**
 * Returns the colour itself where it is readable on a background, and on others that are as dark or light, else the nearest
 * readable shade of it.
 */
export function makeReadable(colour: Rgb, background: Rgb, ...others: readonly Rgb[]): Rgb {
  const grounds = [background, ...others];
  const towards = contrast(WHITE, background) > contrast(BLACK, background) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += 0.02) {
    const rounded = parseHex(toHex(mix(colour, towards, share))) ?? towards;
    if (grounds.every((ground) => contrast(rounded, ground) >= TEXT_CONTRAST)) return rounded;
  }
  return towards;
}

/** Returns black or white, whichever is easier to read on a colour. */
export const chooseInk = (colour: Rgb): Rgb =>
  contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK;
