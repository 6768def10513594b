/** The most ranges read of an Accept-Language; no browser that a person uses sends more. */
const MOST_RANGES = 20;

/**
 * Returns a supported language: the requested one, else the one that the browser prefers most, else the first. A region
 * is ignored: `pt-BR` selects `pt`. Every input yields a language.
 */
export function chooseLocale<const L extends string>(
  known: readonly [L, ...L[]],
  o: { asked?: string | null | undefined; acceptLanguage?: string | undefined },
): L {
  const find = (tag: string): L | undefined => {
    const language = tag.trim().toLowerCase().split('-')[0];
    return known.find((candidate) => candidate === language);
  };
  const liked = parseRanges(o.acceptLanguage ?? '').map(find);
  return find(o.asked ?? '') ?? liked.find((locale) => locale !== undefined) ?? known[0];
}

/**
 * Returns the language with the region that the browser prefers for it: `en` for a browser that prefers `en-GB` is `en-GB`.
 * English is also read where another language is spoken, and then has that one's region. Otherwise it is the language alone.
 */
export function addRegion(language: string, acceptLanguage = ''): string {
  const ranges = parseRanges(acceptLanguage).flatMap((range) => {
    const [spoken = '', ...others] = range.trim().split('-');
    const region = others.find((part) => /^[a-z]{2}$/i.test(part))?.toUpperCase();
    return region === undefined ? [] : [{ spoken: spoken.toLowerCase(), region }];
  });
  const found =
    ranges.find(({ spoken }) => spoken === language) ?? (language === 'en' ? ranges[0] : undefined);
  return found ? `${language}-${found.region}` : language;
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
