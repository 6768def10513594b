import type { Loop, Wake } from '@gp/service';
import { metrics } from '@gp/telemetry';
import type { RequestLogRow } from '../../db/request-logs.ts';
import { toRow, type LoggedRequest } from './to-row.ts';

/** How long a request waits for the next batch at most, while fewer than a batch wait. */
const WRITE_EVERY_MS = 250;
const BATCH = 200;
/** Bytes of requests that wait to be written; the process has 256 MB. */
const MOST_BYTES = 8_000_000;
/** What one merchant in one mode may take of it: a flood by one does not cost others their log. */
const MOST_OF_ONE_MERCHANT = 0.5;
/** What a request takes beside its bodies. */
const ENTRY_BYTES = 1_000;
/** A batch that fails so often is given up, so that a row which cannot be stored does not stop the log. */
const MOST_TRIES = 20;

const outcomes = metrics.counter({
  name: 'gp_request_logs_total',
  help: 'Requests of merchants for the log that merchants read, by what became of them',
  unit: 'requests',
  labels: ['outcome'],
  zero: [{ outcome: 'written' }, { outcome: 'dropped' }],
});

/** The log of requests that merchants read, as it is written. */
export type RequestLog = {
  /** Keeps a request for the next batch; drops and counts it where too much waits. Never throws and never waits. */
  note(request: LoggedRequest): void;
  readonly loop: Loop;
  /** Writes what waits, for the end of the process; gives up at the first failure. */
  close(): Promise<void>;
};

/** Opens the log: requests wait in memory and are written in batches beside the requests of then. */
export function openRequestLog(o: {
  write: (rows: readonly RequestLogRow[]) => Promise<void>;
  mostBytes?: number;
}): RequestLog {
  const { mostBytes = MOST_BYTES } = o;
  const waiting: LoggedRequest[] = [];
  const bytes = new Map<string, number>();
  let total = 0;
  let tries = 0;
  let wake: Wake = () => undefined;

  const count = (request: LoggedRequest, sign: 1 | -1): void => {
    const of = nameMerchant(request);
    const size = sign * measure(request);
    total += size;
    const rest = (bytes.get(of) ?? 0) + size;
    if (rest > 0) bytes.set(of, rest);
    else bytes.delete(of);
  };
  const take = (length: number, outcome: 'written' | 'dropped'): void => {
    for (const request of waiting.splice(0, length)) count(request, -1);
    outcomes.inc({ outcome }, length);
    tries = 0;
  };

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, BATCH);
    if (batch.length === 0) return;
    try {
      await o.write(batch.map(toRow));
      take(batch.length, 'written');
    } catch (error) {
      tries += 1;
      if (tries >= MOST_TRIES) take(batch.length, 'dropped');
      throw error;
    }
  }

  return {
    note(request) {
      const size = measure(request);
      const ofMerchant = bytes.get(nameMerchant(request)) ?? 0;
      const isFull = total + size > mostBytes || ofMerchant + size > mostBytes * MOST_OF_ONE_MERCHANT;
      if (isFull) return void outcomes.inc({ outcome: 'dropped' });
      waiting.push(request);
      count(request, 1);
      if (waiting.length === BATCH) wake();
      else if (waiting.length === 1) wake(WRITE_EVERY_MS);
    },
    loop: {
      name: 'write-request-logs',
      idleMs: WRITE_EVERY_MS,
      async runOnce() {
        if (waiting.length === 0) return 'empty';
        await writeBatch();
        return waiting.length >= BATCH ? 'busy' : 'idle';
      },
      onWake: (wakeLoop) => void (wake = wakeLoop),
    },
    async close() {
      try {
        while (waiting.length > 0) await writeBatch();
      } catch {
        take(waiting.length, 'dropped');
      }
    },
  };
}

const nameMerchant = ({ merchantId, mode }: LoggedRequest): string => `${mode} ${merchantId}`;

const measure = ({ requestBody, responseBody }: LoggedRequest): number =>
  ENTRY_BYTES + (requestBody?.length ?? 0) + (responseBody?.length ?? 0);
