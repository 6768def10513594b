/** Formats an amount for people with exactly its decimals: minor units are shifted, never rounded. */
export function amountText(minor: bigint, currency: string, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const units = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
  const fraction = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // The type of `format` accepts only numbers; a text of digits is formatted exactly.
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...fraction }).format(
    units as `${number}`,
  );
}
