/** Hundredths of the shares that are suggested as a tip. */
const HUNDREDTHS = [5n, 10n, 15n];

/**
 * Returns tips to suggest for shares of this price, in minor units: 5, 10 and 15 % of it, rounded to a step that is easy to
 * read, without those that are nothing, too much or there already. Of currencies with three decimals some gateways take no
 * amount that does not end in 0.
 */
export function suggestTips(price: bigint, most: bigint, digits: number): readonly bigint[] {
  const step = findStep(price, digits > 2 ? 10n : 1n);
  const rounded = HUNDREDTHS.map((part) => ((price * part) / 100n + step / 2n) / step).map((n) => n * step);
  return [...new Set(rounded)].filter((tip) => tip > 0n && tip <= most);
}

/** The greatest of 1, 5, 10, 50, 100 … that is at most a fortieth of the price, and no less than `least`. */
function findStep(price: bigint, least: bigint): bigint {
  let step = least;
  for (let next = step * 5n; next * 40n <= price; next = step * (String(step).startsWith('5') ? 2n : 5n))
    step = next;
  return step;
}

/**
 * Returns an amount that a payer wrote, in minor units; undefined for anything else. It may have a point or a comma, the
 * sign of a currency, and the digits of an Arabic or a Persian keyboard.
 */
export function parseTip(text: string, digits: number): bigint | undefined {
  const plain = text
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\s\p{Sc}\p{Cf}]/gu, '');
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:[.,\u066B](\d*))?$/.exec(plain) ?? [];
  if (whole === '' || /[1-9]/.test(fraction.slice(digits))) return undefined;
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}
