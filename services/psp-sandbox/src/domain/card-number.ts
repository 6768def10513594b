/** What a card's number tells by itself. Browsers load this file too. */
export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown';

/** The scheme that digits, even only the first few, belong to. */
export function brandOf(number: string): Brand {
  if (number.startsWith('4')) return 'visa';
  if (/^3[47]/.test(number)) return 'amex';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^(6011|65)/.test(number)) return 'discover';
  return 'unknown';
}

/** Whether the last digit is the one that Luhn's sum asks for. */
export function hasCheckDigit(number: string): boolean {
  const digits = Array.from(number, Number).reverse();
  const sum = digits.reduce((total, digit, i) => {
    const value = digit * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
