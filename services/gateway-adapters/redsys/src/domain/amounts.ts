import type { AmountRule } from '@gp/gateway';
import type { Currency } from '@gp/money';

/** The order form has room for twelve digits. */
const MAX_ON_THE_WIRE = 999_999_999_999n;

/**
 * How gateway_c takes amounts: in the minor units of ISO 4217, from one up. Which currencies a merchant can take is
 * settled between him and his bank: a terminal that does not know one says so on the bank's page.
 */
export function amountRule({ exponent }: Currency): AmountRule {
  return { exponent, unit: 1n, minimum: 1n, maximum: MAX_ON_THE_WIRE };
}
