import { findManifest, forEachGateway, type LedgerFacts, type PspCode } from '@gp/gateway-registry';
import type { Currency } from '@gp/money';

/** Facts about each gateway that the ledger needs, from its manifest. */
export const gatewayFacts = forEachGateway(({ ledger }) => ledger);

export const isCancellable = (pspCode: PspCode): boolean => gatewayFacts[pspCode].isCancellable;
export const isRefundable = (pspCode: PspCode): boolean => gatewayFacts[pspCode].isRefundable;

/** Whether the payment is prepared with the reservation, so that the payer may act at any time; else our server authorises. */
export const isPreparedAtGateway = (pspCode: PspCode): boolean =>
  findManifest(pspCode).flow !== 'server_confirm';

/** The smallest step in which the gateway takes amounts of a currency, in our minor units. */
export function findAmountStep(pspCode: PspCode, { code, exponent }: Currency): bigint {
  const { byCurrency, byExponent } = gatewayFacts[pspCode].amountSteps;
  return BigInt(byCurrency?.[code] ?? byExponent?.[exponent] ?? 1);
}

/** One fact of every gateway, in the form of a policy. */
export function ofEachGateway<T>(pick: (facts: LedgerFacts) => T): Readonly<Record<PspCode, T>> {
  return forEachGateway(({ ledger }) => pick(ledger));
}
