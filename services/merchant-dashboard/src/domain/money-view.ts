import { AppError } from '@gp/errors';
import { findCurrency, formatMinor } from '@gp/money';

/** Returns an amount as the pages show it: `text` has all decimals of its currency. */
export function moneyView(minor: string | bigint, code: string) {
  const currency = findCurrency(code);
  if (!currency)
    throw new AppError('internal_error', {}, { cause: new Error('an amount without a currency') });
  return { minor: String(minor), currency: code, text: formatMinor(BigInt(minor), currency) };
}
