import type { Gateway } from '../bootstrap.ts';

/** Returns the bank's origin in the flow `redirect`; undefined where the card form is on this page. */
export function findBank(gateway: Gateway | null): string | undefined {
  return gateway && 'bank' in gateway ? gateway.bank : undefined;
}
