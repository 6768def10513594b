import type { Mode, publicApi } from '@gp/contracts';

/** Who is asking, once it is proven. */
export type Caller = {
  readonly kind: publicApi.CredentialKind;
  readonly merchantId: string;
  readonly mode: Mode;
  /** In whose name idempotency keys are remembered: one for all secret keys of a merchant. */
  readonly principal: 'secret';
};

/** How the other services are told who is asking. */
export function scopeOf({ merchantId, mode }: Caller): { merchant_id: string; mode: Mode } {
  return { merchant_id: merchantId, mode };
}
