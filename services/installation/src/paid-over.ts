/**
 * The gateway with which an installation is tested: `pay-one-group.ts` acts as a payer's browser at its sandbox.
 */
export const PAID_OVER = 'gateway_a';
