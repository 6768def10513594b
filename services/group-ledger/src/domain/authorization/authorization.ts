import type { AuthorizationState } from './authorization.machine.ts';

/** One try to place a hold. On gateway_a and gateway_c it exists from the reservation on, on gateway_b from confirm. */
export type Authorization = {
  readonly id: string;
  readonly seq: number;
  readonly state: AuthorizationState;
  /** What the gateway holds; null until it said so. */
  readonly amountMinor: bigint | null;
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
