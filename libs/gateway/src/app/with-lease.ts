import { setTimeout } from 'node:timers/promises';
import type { AdapterCore } from '../adapter.ts';
import { findGatewayCall, renewLease, takeOverCall } from '../db/gateway-calls.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import { keepAlive } from './keep-alive.ts';

const ASK_AGAIN_MS = 200;

/** Works on a row and renews its lease until the work is over, however long the gateway takes. */
export async function withLease<T>(
  { db, settings }: AdapterCore,
  row: GatewayCall,
  work: () => Promise<T>,
): Promise<T> {
  // A renewal that fails only means that another process may query the gateway too.
  const renew = (): Promise<void> => renewLease(db, row.id, toLeaseSeconds(settings.leaseMs));
  return keepAlive(settings.leaseMs / 3, renew, work);
}

/**
 * Waits until the process that works on a row has settled it or is gone. Returns the row, taken over in the
 * second case (`isTaken`).
 */
export async function awaitRow(
  { db, settings }: AdapterCore,
  row: GatewayCall,
): Promise<{ readonly row: GatewayCall; readonly isTaken: boolean }> {
  for (;;) {
    const taken = await takeOverCall(db, row.id, toLeaseSeconds(settings.leaseMs));
    if (taken) return { row: taken, isTaken: true };
    const current = await findGatewayCall(db, row);
    if (current && current.state !== 'started') return { row: current, isTaken: false };
    await setTimeout(ASK_AGAIN_MS);
  }
}

export const toLeaseSeconds = (leaseMs: number): number => leaseMs / 1000;
