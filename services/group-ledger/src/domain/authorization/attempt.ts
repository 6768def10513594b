import type { AttemptState } from './attempt.machine.ts';

/** One try to place a hold. On gateway_a and gateway_c it exists from the reservation on, on gateway_b from confirm. */
export type Attempt = {
  readonly id: string;
  readonly seq: number;
  readonly state: AttemptState;
  /** What the gateway holds; null until it said so. */
  readonly amountMinor: bigint | null;
  readonly captureBeforeMs: number | null;
  readonly pspReference: string | null;
  readonly startedAtMs: number;
};

export function findAttempt(
  { attempts }: { readonly attempts: readonly Attempt[] },
  id: string,
): Attempt | undefined {
  return attempts.find((attempt) => attempt.id === id);
}

/** Whether the outcome of the attempt is still to come. */
export function isInFlight(attempt: Attempt): boolean {
  return attempt.state === 'started' || attempt.state === 'unknown';
}
