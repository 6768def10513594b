/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** WCAG 2.2 asks this of text and of what carries meaning beside it. */
const TEXT_CONTRAST = 4.5;

/** Reads `#rgb` or `#rrggbb`; anything else is no colour, so that no style can be smuggled in as one. */
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

/** How well two colours can be told apart, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** The colour itself where it can be read on a background, else the nearest darker or lighter one that can. */
export function readableOn(colour: Rgb, background: Rgb): Rgb {
  const towards = contrast(WHITE, background) > contrast(BLACK, background) ? WHITE : BLACK;
  for (let share = 0; share < 1; share += 0.02) {
    const rounded = parseHex(toHex(mix(colour, towards, share))) ?? towards;
    if (contrast(rounded, background) >= TEXT_CONTRAST) return rounded;
  }
  return towards;
}

/** Black or white: what is read better on a colour. */
export const inkOn = (colour: Rgb): Rgb =>
  contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK;
