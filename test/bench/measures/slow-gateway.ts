import { send } from '../../support/api.ts';
import { openOwnStack } from '../../support/own-stack.ts';
import { findMerchant } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { measureRates, openTills } from '../load/pay.ts';
import { computeSpread, round, type Figure } from '../ratios.ts';

const GATEWAY = 'gateway_a';
const ANSWER_AFTER_MS = 200;
const PAYERS = 96;
/** Calls that may be under way at once for one merchant and in all: what an operator sets for a big account. */
const LIMITS = {
  GP_SET_MERCHANT_CONCURRENCY: '256',
  GP_SET_GATEWAY_CONCURRENCY: '512',
  GP_SET_ACCOUNT_CALLS_PER_SECOND: '1000',
};

/**
 * P14: payments a second of one merchant over one adapter whose gateway takes 200 ms for each answer. In a stack of its
 * own, whose adapters have these limits.
 */
export async function measureSlowGateway({ rounds, seconds, say }: Bench): Promise<Figure[]> {
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production', ...LIMITS });
  const { stack } = own;
  const tills = await openTills(stack, [findMerchant(stack, GATEWAY)]);
  try {
    await send('POST', `${stack.sandbox}/control/latency`, { gateway: GATEWAY, ms: ANSWER_AFTER_MS });
    const rates = await measureRates(tills, { payers: PAYERS, rounds, seconds, say });
    const { median, min, max } = computeSpread(rates);
    return [
      {
        id: 'P14',
        what: `payments/s of one merchant over one adapter, ${ANSWER_AFTER_MS} ms for each answer of the gateway, ${LIMITS.GP_SET_MERCHANT_CONCURRENCY} calls at once allowed; sandbox on the same machine`,
        value: `${round(median, 1)}/s (${round(min, 1)}–${round(max, 1)})`,
        goal: '≥100/s',
        reached: median >= 100,
        detail: { per_second: round(median, 1) },
      },
    ];
  } finally {
    await tills.close();
    await own.close();
  }
}
