import type { AmountRule } from '@gp/gateway';
import type { Currency } from '@gp/money';

/** Sources of this processor disagree about their decimals; a wrong guess would be off by a factor of 100. */
const UNSUPPORTED = new Set(['CLP', 'IQD', 'UGX']);

const MAX_ON_THE_WIRE = 999_999_999n;

/** Returns how gateway_b takes amounts: in the minor units of ISO 4217, from one up, nine digits at most. */
export function amountRule({ code, exponent }: Currency): AmountRule | undefined {
  if (UNSUPPORTED.has(code)) return undefined;
  return { exponent, unit: 1n, minimum: 1n, maximum: MAX_ON_THE_WIRE };
}
