/** The scheme of a card, as its number shows it. Browsers load this file too. */
export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown';

/** Returns the scheme of a number, even from its first few digits. */
export function findBrand(number: string): Brand {
  if (number.startsWith('4')) return 'visa';
  if (/^3[47]/.test(number)) return 'amex';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^(6011|65)/.test(number)) return 'discover';
  return 'unknown';
}

/** Returns whether the last digit is the right one by Luhn's algorithm. */
export function hasCheckDigit(number: string): boolean {
  const digits = Array.from(number, Number).reverse();
  const sum = digits.reduce((total, digit, i) => {
    const value = digit * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
