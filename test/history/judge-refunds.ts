import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';

/** The gateway whose interface gives nothing back, and what refunds say of its payments (E7). */
const ONE_WAY = 'gateway_c';
/** Whoever dies over a refund, or is away, leaves it open at first whether there will be one (E5). */
const UNKNOWN = 'outcome unknown, being verified';
const UNAVAILABLE = `refunds through the API are unavailable for ${ONE_WAY}`;

/** What each refund was answered fits the gateways its payments were held by. */
export function refundsAnswered({ ledger, record }: Views): Contradiction[] {
  const gatewayOf = new Map(ledger.intents.map(({ id, psp_code }) => [id, psp_code]));
  return [
    ...ledger.intents
      .filter(({ psp_code, amount_refunded }) => psp_code === ONE_WAY && amount_refunded !== '0')
      .map(({ id }) => `payment ${id} of ${ONE_WAY} was given back`),
    ...record.refunded.flatMap(({ answer: { refunded_payment_intents, failed }, key }) => [
      ...(refunded_payment_intents.length + failed.length > 0 ? [] : [`refund ${key} concerns no payment`]),
      ...refunded_payment_intents
        .filter((id) => gatewayOf.get(id) === ONE_WAY)
        .map((id) => `the refund of ${id} was acknowledged by ${ONE_WAY}`),
      ...failed.flatMap(({ payment_intent_id: id, psp_code, error }) => {
        if (psp_code !== gatewayOf.get(id)) return [`the refund of ${id} failed at a gateway it is not of`];
        const isFit = error === UNKNOWN || (error === UNAVAILABLE) === (psp_code === ONE_WAY);
        return isFit ? [] : [`the refund of ${id} by ${psp_code} failed because "${error}"`];
      }),
    ]),
  ];
}
