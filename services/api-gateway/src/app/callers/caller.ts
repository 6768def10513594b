import type { Mode, SessionClaims } from '@gp/contracts';

type Merchant = { readonly merchantId: string; readonly mode: Mode };

/** A merchant's own server. */
export type SecretCaller = Merchant & {
  readonly kind: 'secret_key';
  /** The owner of idempotency records: one for all secret keys of a merchant. */
  readonly principal: 'secret';
};

/** A payer's browser, which may access one group. */
export type SessionCaller = Merchant & {
  readonly kind: 'session_token';
  /** One for all tokens of a group, never the merchant's: a browser gets no replay of a server's response. */
  readonly principal: `session:${string}`;
  readonly groupId: string;
  readonly tokenId: string;
  /** How often the group's checkout link had been replaced when the token was minted. */
  readonly linkNumber: number;
  /** Set only for a session that is limited to a payer or to some slots. */
  readonly sessionId?: string;
};

/** An authenticated caller. */
export type Caller = SecretCaller | SessionCaller;

/** Returns the caller's merchant and mode as other services receive them. */
export function toScope({ merchantId, mode }: Caller): { merchant_id: string; mode: Mode } {
  return { merchant_id: merchantId, mode };
}

/** Returns the caller that a verified token identifies. */
export function toSessionCaller({ mid, mode, gp, jti, limited, link = 0 }: SessionClaims): SessionCaller {
  const caller = { merchantId: mid, mode, principal: `session:${gp}`, groupId: gp, tokenId: jti } as const;
  return { kind: 'session_token', ...caller, linkNumber: link, ...(limited && { sessionId: jti }) };
}
