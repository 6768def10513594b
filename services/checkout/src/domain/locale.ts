/** The most ranges read of an Accept-Language; no browser that a person uses sends more. */
const MOST_RANGES = 20;

/** Languages that have digits of their own in some regions, or in some browsers' data. */
const HAS_OTHER_DIGITS = new Set(['ar']);

/** What a request says of its language: the one it asks for, and what its browser prefers. */
export type Wish = { asked?: string | null | undefined; acceptLanguage?: string | undefined };

/**
 * Returns a supported locale: the requested one, else the one that the browser prefers most, else the first. A region
 * without a locale of its own is ignored: `pt-BR` selects `pt`. Every input yields a locale.
 */
export function chooseLocale<const L extends string>(known: readonly [L, ...L[]], wish: Wish): L {
  const find = (tag: string): L | undefined => {
    const { language, region } = parseTag(tag);
    // English of any country but the United States is spelt as in Britain.
    const variant = language === 'en' && region !== undefined && region !== 'US' ? 'en-GB' : language;
    return known.find((locale) => locale === variant) ?? known.find((locale) => locale === language);
  };
  const [asked = '', ...liked] = listTags(wish);
  return find(asked) ?? liked.map(find).find((locale) => locale !== undefined) ?? known[0];
}

/**
 * Returns the tag by which amounts and dates of a locale are written: with the region that the request asks for or the
 * browser prefers, so that `en-GB` for a browser that prefers `en-AU` is `en-AU`. English is also read where another
 * language is spoken, and then has that one's region. Digits are always those of cards, `0` to `9`.
 */
export function addRegion(locale: string, wish: Wish): string {
  const { language } = parseTag(locale);
  const ranges = listTags(wish)
    .map(parseTag)
    .filter(({ region }) => region !== undefined);
  const found = ranges.find((range) => range.language === language);
  const nearby = found ?? (locale === 'en' ? ranges[0] : undefined);
  const written = nearby ? `${language}-${nearby.region}` : locale;
  return HAS_OTHER_DIGITS.has(language) ? `${written}-u-nu-latn` : written;
}

/** Returns the requested tag, which may be empty, and then those that the browser accepts, most preferred first. */
const listTags = ({ asked, acceptLanguage }: Wish): string[] => [
  asked ?? '',
  ...parseRanges(acceptLanguage ?? ''),
];

function parseTag(tag: string): { language: string; region: string | undefined } {
  const [language = '', ...others] = tag.trim().split('-');
  const region = others.find((part) => /^[a-z]{2}$/i.test(part))?.toUpperCase();
  return { language: language.toLowerCase(), region };
}

/** Returns the language ranges, most preferred first, without those of quality 0. */
function parseRanges(header: string): string[] {
  return header
    .split(',')
    .slice(0, MOST_RANGES)
    .map((part) => {
      const [range = '', ...parameters] = part.split(';');
      const quality = parameters
        .map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1])
        .find(Boolean);
      return { range, quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range);
}
