import { parseHex, type Rgb } from '@gp/primitives';
import { LOOK_RULES } from '../../widget/src/look.ts';
import { keepValid } from '../../widget/src/options.ts';

/** The look that a page wishes, as values the frame makes styles of. */
export type FormLook = {
  /** Absent where the payer's device decides. */
  readonly scheme?: 'light' | 'dark';
  readonly background?: Rgb;
  readonly radiusPx?: number;
  /** Families of the payer's device, for `font-family`. */
  readonly font?: string;
};

const COLORS: Readonly<Record<string, string>> = {
  white: '#ffffff',
  black: '#000000',
  ivory: '#fffff0',
  navy: '#000080',
};

/** Families of the names that a page may choose; `system` is the page's own list. */
const FONTS: Readonly<Record<string, string>> = {
  'sans-serif': 'Arial, Helvetica, sans-serif',
  serif: "Georgia, 'Times New Roman', serif",
  monospace: "ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace",
  rounded: "ui-rounded, 'Arial Rounded MT Bold', 'Nunito', sans-serif",
};

/**
 * Reads the theme that came with the channel: undefined from loaders before 1.3.0, and checked again, because any script of the
 * page may have sent it. An invalid value is logged as an error and left out.
 */
export function parseLook(given: unknown): FormLook {
  const theme = Object(given) as Record<string, unknown>;
  const wishes = Object.keys(LOOK_RULES).map((name) => [name, theme[name]] as const);
  const valid = keepValid(LOOK_RULES, Object.fromEntries(wishes), 'theme.');
  const scheme = findScheme(valid['colorScheme'], theme['pageScheme']);
  const background = parseColor(valid['background']);
  const font = FONTS[String(valid['font'])];
  return {
    ...(scheme && { scheme }),
    ...(background && { background }),
    ...(valid['radius'] !== undefined && { radiusPx: Number(valid['radius']) }),
    ...(font !== undefined && { font }),
  };
}

/** `auto` is the one scheme that the page declares around the form; of none or both the device chooses. */
function findScheme(wish: unknown, page: unknown): FormLook['scheme'] {
  const [, declared] = /^(light|dark)( only)?$/.exec(String(page)) ?? [];
  const scheme = wish === 'auto' ? declared : wish;
  return scheme === 'light' || scheme === 'dark' ? scheme : undefined;
}

function parseColor(valid: unknown): Rgb | undefined {
  const text = String(valid).toLowerCase();
  const [r, g, b] = text.startsWith('rgb') ? (text.match(/\d+/g) ?? []).map(Number) : [];
  if (r !== undefined && g !== undefined && b !== undefined) return [r, g, b];
  return parseHex(COLORS[text] ?? text);
}
