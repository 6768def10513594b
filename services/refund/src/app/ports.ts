import type { findRefund, openRefund, RefundView, RequestOf } from '@gp/contracts';

/** When the caller stops listening, epoch ms: no step may answer later. */
export type By = { readonly deadline: number };

/** What refund asks of the ledger. */
export type Ledger = {
  open(request: RequestOf<typeof openRefund>, by: By): Promise<RefundView>;
  find(request: RequestOf<typeof findRefund>, by: By): Promise<RefundView>;
};
