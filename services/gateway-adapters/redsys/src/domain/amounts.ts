import type { AmountRule } from '@gp/gateway';
import type { Currency } from '@gp/money';

/** The order form has room for twelve digits. */
const MAX_ON_THE_WIRE = 999_999_999_999n;

/**
 * Returns how gateway_c takes amounts: in the minor units of ISO 4217, from one up. Merchants agree with their
 * bank which currencies they can take: the bank's page reports a currency that the terminal does not know.
 */
export function amountRule({ exponent }: Currency): AmountRule {
  return { exponent, unit: 1n, minimum: 1n, maximum: MAX_ON_THE_WIRE };
}
