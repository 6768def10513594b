import { findCurrency, formatMinor, maxPaymentMinor } from '@gp/money';
import type { PspCode } from '@gp/gateway-registry';
import { findAmountStep } from '../gateway-facts.ts';
import type { Group } from './group.ts';

/** Returns whether a new group may let each payment add this much to its slots. */
export function isTipLimit(minor: bigint): boolean {
  return minor >= 1n && minor <= maxPaymentMinor;
}

/** A tip that a payer wants to add to slots, and the gateway that the payment goes to. */
type WantedTip = { readonly tipMinor: bigint; readonly slotsMinor: bigint; readonly pspCode: PspCode };

/** Returns why a payment of the group cannot have the tip, in the words of its payer; undefined when it can, or has none. */
export function findTipFault(
  { maxTipMinor, currency: code }: Group,
  { tipMinor, slotsMinor, pspCode }: WantedTip,
): string | undefined {
  if (tipMinor === 0n) return undefined;
  if (maxTipMinor === null) return 'the group payment takes no tips';
  const currency = findCurrency(code);
  if (!currency) return 'the group payment has no known currency';
  const shown = (minor: bigint): string => `${formatMinor(minor, currency)} ${code}`;
  if (tipMinor < 0n || tipMinor > maxTipMinor) return `must be above 0 and at most ${shown(maxTipMinor)}`;
  const amountMinor = slotsMinor + tipMinor;
  if (amountMinor > maxPaymentMinor)
    return `must not make the payment larger than ${shown(maxPaymentMinor)}, the most a gateway takes`;
  const step = findAmountStep(pspCode, currency);
  if (amountMinor % step === 0n) return undefined;
  return `must make the payment a multiple of ${shown(step)}, the smallest step of the payment gateway`;
}
