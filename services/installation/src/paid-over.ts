/** The gateway over which an installation is tried: `pay-one-group.ts` plays a payer's browser at its sandbox. */
export const PAID_OVER = 'gateway_a';
