import { findManifest, isPspCode, type PspCode } from '@gp/gateway-registry';
import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';

/**
 * A process that dies during a refund, or a gateway that is away, leaves it open at first whether there will be one (E5).
 */
const UNKNOWN = 'outcome unknown, being verified';
/** The gateways whose interface gives nothing back, and what refunds say of their payments (E7). */
const isOneWay = (code: string | undefined): code is PspCode =>
  code !== undefined && isPspCode(code) && !findManifest(code).ledger.isRefundable;
const UNAVAILABLE = 'refunds through the API are unavailable for ';

/** The answer to each refund fits the gateways that held its payments. */
export function refundsAnswered({ ledger, record }: Views): Contradiction[] {
  const gatewayOf = new Map(ledger.intents.map(({ id, psp_code }) => [id, psp_code]));
  return [
    ...ledger.intents
      .filter(({ psp_code, amount_refunded }) => isOneWay(psp_code) && amount_refunded !== '0')
      .map(({ id, psp_code }) => `payment ${id} of ${psp_code} was given back`),
    ...record.refunded.flatMap(({ group_id, refunded_payment_intents, failed }) => [
      ...(refunded_payment_intents.length + failed.length > 0
        ? []
        : [`a refund of group ${group_id} concerns no payment`]),
      ...refunded_payment_intents
        .filter((id) => isOneWay(gatewayOf.get(id)))
        .map((id) => `the refund of ${id} was acknowledged by ${gatewayOf.get(id)}`),
      ...failed.flatMap(({ payment_intent_id: id, psp_code, error }) => {
        if (psp_code !== gatewayOf.get(id)) return [`the refund of ${id} failed at a gateway it is not of`];
        const isFit =
          error === UNKNOWN ||
          (isOneWay(psp_code)
            ? error.startsWith(`${UNAVAILABLE}${psp_code}:`)
            : !error.startsWith(UNAVAILABLE));
        return isFit ? [] : [`the refund of ${id} by ${psp_code} failed because "${error}"`];
      }),
    ]),
  ];
}
