import type { Currency } from '@gp/money';
import { type PspCode, pspCodes } from '@gp/gateway-registry';
import { findAmountStep } from '../gateway-facts.ts';

/** The step in minor units that equal shares are split in for a gateway (G3); 1 where none is active. */
export function allocationUnit(pspCode: PspCode | undefined, currency: Currency): bigint {
  return pspCode === undefined ? 1n : findAmountStep(pspCode, currency);
}

/** Returns whether the unit depends on the active gateway; for most currencies it does not, and no look-up is needed. */
export function isGatewayDependent(currency: Currency): boolean {
  return pspCodes.some((code) => findAmountStep(code, currency) !== 1n);
}
