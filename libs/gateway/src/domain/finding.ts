import type { Outcome } from '@gp/contracts';
import type { CallState } from './gateway-call.machine.ts';
import type { CallResult } from './call-result.ts';
import type { GatewayCall } from './gateway-call.ts';

/** A fact that must be sent to the ledger, and the row it settles when it was our operation. */
export type Finding = {
  readonly operation: Outcome['operation'];
  readonly verdict: CallResult;
  /** Null: no operation of ours caused it. */
  readonly row: GatewayCall | null;
};

/** Amounts of external operations that the ledger has been sent. */
export type ExternalAmounts = { readonly capture: bigint; readonly refund: bigint };

/**
 * Our rows as they were before the gateway was queried, by their ids: a missing effect is evidence only for rows
 * that were done by then.
 */
export type Before = ReadonlyMap<string, CallState>;

export type Circumstances = {
  /** The ledger needs the state of the hold even when nothing has changed. */
  readonly isAsked: boolean;
  readonly before: Before;
  readonly external: ExternalAmounts;
  /** The same as it was before the gateway was queried. */
  readonly externalBefore: ExternalAmounts;
  /** Null: no statement about a dispute. */
  readonly disputed: boolean | null;
};
