import { LOCALES, type Locale } from './card-words.ts';

/** The appearance of a frame: colours by part, light or dark, and its language. */
export type Looks = {
  readonly locale?: Locale;
  readonly scheme?: 'light' | 'dark';
  readonly colors: Readonly<Partial<Record<ColorName, string>>>;
};

const COLOR_NAMES = ['color', 'background', 'placeholder', 'danger', 'accent'] as const;
type ColorName = (typeof COLOR_NAMES)[number];

/** Matches a colour and nothing else: every value that reaches a style sheet is checked with it. */
const COLOR = /^(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\(\d{1,3}, ?\d{1,3}, ?\d{1,3}\))$/i;

/** Parses looks from the frame's address or from a message; invalid values are left out. */
export function readLooks(read: (name: string) => unknown): Looks {
  const colors = COLOR_NAMES.flatMap((name) => {
    const value = read(name);
    return typeof value === 'string' && COLOR.test(value) ? [[name, value]] : [];
  });
  const scheme = read('scheme');
  const locale = parseLocale(read('locale'));
  return {
    colors: Object.fromEntries(colors) as Looks['colors'],
    ...((scheme === 'light' || scheme === 'dark') && { scheme }),
    ...(locale && { locale }),
  };
}

/** Returns the language of a tag such as `es-MX`, where the fields have words in it. */
export function parseLocale(tag: unknown): Locale | undefined {
  const language = typeof tag === 'string' ? tag.slice(0, 2).toLowerCase() : '';
  return LOCALES.find((locale) => locale === language);
}

/** Sets scheme and colours where the style sheet reads them. */
export function dress(root: HTMLElement, { scheme, colors }: Looks): void {
  if (scheme) root.style.colorScheme = scheme;
  for (const [name, value] of Object.entries(colors)) root.style.setProperty(`--${name}`, value);
}
