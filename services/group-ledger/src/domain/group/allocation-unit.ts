import type { Currency } from '@gp/money';
import { gatewayFacts } from '../gateway-facts.ts';
import type { PspCode } from './group.ts';

/** The step in minor units that equal shares are split in for a gateway (G3); 1 where none is active. */
export function allocationUnit(pspCode: PspCode | undefined, currency: Currency): bigint {
  return pspCode === undefined ? 1n : gatewayFacts[pspCode].stepOf(currency);
}

/** Whether it matters which gateway is active: for most currencies nobody has to be asked. */
export function isGatewayDependent(currency: Currency): boolean {
  return Object.values(gatewayFacts).some(({ stepOf }) => stepOf(currency) !== 1n);
}
