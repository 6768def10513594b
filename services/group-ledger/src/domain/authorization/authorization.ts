import type { AuthorizationState } from './authorization.machine.ts';

/** One try to place a hold. Where our server authorises it exists from confirm on, else from the reservation on. */
export type Authorization = {
  readonly id: string;
  readonly seq: number;
  readonly state: AuthorizationState;
  /** The amount the gateway holds; null until it is reported. */
  readonly amountMinor: bigint | null;
  /** Captured of a hold that the group does not count, and refunded of that; the intent has these amounts of the one that counts. */
  readonly amountCapturedMinor: bigint;
  readonly amountRefundedMinor: bigint;
  readonly captureBeforeMs: number | null;
  readonly pspReference: string | null;
  readonly startedAtMs: number;
};

export function findAuthorization(
  { authorizations }: { readonly authorizations: readonly Authorization[] },
  id: string,
): Authorization | undefined {
  return authorizations.find((authorization) => authorization.id === id);
}

/** Whether the outcome of the authorization is still to come. */
export function isInFlight(authorization: Authorization): boolean {
  return authorization.state === 'started' || authorization.state === 'unknown';
}
