import type { Mode, SessionClaims } from '@gp/contracts';

type Merchant = { readonly merchantId: string; readonly mode: Mode };

/** A merchant's own server. */
export type SecretCaller = Merchant & {
  readonly kind: 'secret_key';
  /** In whose name idempotency keys are remembered: one for all secret keys of a merchant. */
  readonly principal: 'secret';
};

/** A payer's browser, which was let in to one group. */
export type SessionCaller = Merchant & {
  readonly kind: 'session_token';
  /** One for all tokens of a group, and not the merchant's: a browser is never answered what a server was. */
  readonly principal: `session:${string}`;
  readonly groupId: string;
  readonly tokenId: string;
  /** Only of a session that is limited to a payer or to some slots. */
  readonly sessionId?: string;
};

/** Who is asking, once it is proven. */
export type Caller = SecretCaller | SessionCaller;

/** How the other services are told who is asking. */
export function scopeOf({ merchantId, mode }: Caller): { merchant_id: string; mode: Mode } {
  return { merchant_id: merchantId, mode };
}

/** Whom a proven token speaks for. */
export function sessionCaller({ mid, mode, gp, jti, limited }: SessionClaims): SessionCaller {
  const caller = { merchantId: mid, mode, principal: `session:${gp}`, groupId: gp, tokenId: jti } as const;
  return { kind: 'session_token', ...caller, ...(limited && { sessionId: jti }) };
}
