import { readFileSync } from 'node:fs';
import { openRecordingServer, type RecordedRequest } from './recording-server.ts';
import { recordSteps, type RecordedStep } from './record-steps.ts';

/** The payment that every adapter's recording is about: 49.99 in test mode. */
export const wirePayment = {
  mode: 'test',
  merchantId: 'm1',
  groupId: '01a1fc1c-a92b-7b0a-87f5-000000000001',
  intentId: '01a1fc1c-a92b-7b0a-87f5-000000000002',
  attemptId: '01a1fc1c-a92b-7b0a-87f5-000000000003',
  amountMinor: 4_999n,
  sandboxFault: null,
} as const;

/** The merchant's account in every adapter's recording. */
export const wireAccount = { merchantId: 'm1', mode: 'test', version: 1 } as const;

/** Builds the context of one call of an adapter; it is never aborted. */
export function buildCall(idempotencyKey: string) {
  return { idempotencyKey, signal: new AbortController().signal };
}

/** Records what the steps of an adapter send to a server that answers so. `steps` gets the address of the server. */
export async function recordWire(
  answer: (request: RecordedRequest) => unknown,
  steps: (url: string) => Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, RecordedStep>> {
  const server = await openRecordingServer(answer);
  try {
    return await recordSteps(server, steps(server.url));
  } finally {
    await server.close();
  }
}

/** Reads `wire.json` beside a test file: what `recordWire` returned when the wire was last changed. */
export function readWire(testFile: string): unknown {
  return JSON.parse(readFileSync(new URL('./wire.json', testFile), 'utf8'));
}
