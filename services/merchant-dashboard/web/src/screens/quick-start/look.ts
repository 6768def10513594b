/** How the widget looks in a shop, as it is typed; a part that is empty follows the payer's device and the merchant's branding. */
export type WidgetLook = {
  readonly locale: string;
  readonly colorScheme: string;
  readonly background: string;
  readonly radius: number | string;
  readonly font: string;
};

export const PLAIN_LOOK: WidgetLook = { locale: '', colorScheme: '', background: '', radius: '', font: '' };

export const FONTS = ['system', 'sans-serif', 'serif', 'monospace', 'rounded'];

/** What the widget takes: a language such as `nl` or `en-GB`, and a colour in hexadecimal or one of four names. */
const LOCALE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
const BACKGROUND = /^(?:#(?:[0-9a-fA-F]{3}){1,2}|white|black|ivory|navy)$/;

/** Returns what is wrong with a language, in words; null when it is empty or right. */
export const findLocaleFault = (locale: string): string | null =>
  locale === '' || LOCALE.test(locale) ? null : 'Must be a language such as nl or en-GB';

/** Returns what is wrong with a background, in words; null when it is empty or right. */
export const findBackgroundFault = (background: string): string | null =>
  background === '' || BACKGROUND.test(background)
    ? null
    : 'Must be a colour such as #f6f1e7, or white, black, ivory or navy';

/** A chosen part: the name of the script's option, the end of the attribute's name, and the value. */
type Chosen = { readonly option: string; readonly attribute: string; readonly value: string | number };

/** Returns the parts of a look that are chosen; those that the widget would refuse are left out. */
export function listLook({ locale, colorScheme, background, radius, font }: WidgetLook): Chosen[] {
  const all: Chosen[] = [
    { option: 'locale', attribute: 'locale', value: findLocaleFault(locale) === null ? locale : '' },
    { option: 'colorScheme', attribute: 'color-scheme', value: colorScheme },
    {
      option: 'background',
      attribute: 'background',
      value: findBackgroundFault(background) === null ? background : '',
    },
    { option: 'radius', attribute: 'radius', value: radius },
    { option: 'font', attribute: 'font', value: font },
  ];
  return all.filter(({ value }) => value !== '');
}
