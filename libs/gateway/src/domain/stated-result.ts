import { findNewest, type GatewayCall } from './gateway-call.ts';

/** The whole of what a callback says: that a payment is held or captured with this amount. */
export type StatedResult = {
  readonly operation: 'authorise' | 'capture';
  readonly amountMinor: bigint;
  readonly currency: string;
};

/**
 * Returns whether the answer to our own call said the same before, and the ledger was sent it with that answer. A query
 * because of the callback would then find nothing that the callback is about. A result that was reversed since is no success.
 */
export function isRecorded(rows: readonly GatewayCall[], stated: StatedResult): boolean {
  const row = findNewest(rows, stated.operation);
  return (
    row?.state === 'succeeded' &&
    row.currency === stated.currency &&
    (row.resultMinor ?? row.amountMinor) === stated.amountMinor
  );
}
