import type { findRefund, openRefund, RefundView, RequestOf } from '@gp/contracts';

/** The instant (epoch ms) at which the caller stops waiting. No step may take longer. */
export type By = { readonly deadline: number };

/** The calls that refund makes to the ledger. */
export type Ledger = {
  open(request: RequestOf<typeof openRefund>, by: By): Promise<RefundView>;
  find(request: RequestOf<typeof findRefund>, by: By): Promise<RefundView>;
};
