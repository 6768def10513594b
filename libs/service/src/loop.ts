import { setTimeout as delay } from 'node:timers/promises';
import { failureClass, metrics, type Logger } from '@gp/telemetry';

/** Work that repeats: a pass returns whether there may be more to do at once. */
export type Loop = {
  readonly name: string;
  /** Pause after an idle pass, ms; read after each. */
  readonly idleMs: number;
  /** One pass; `signal` fires when the service stops, and the pass should end soon after. */
  runOnce(signal: AbortSignal): Promise<'idle' | 'busy'>;
  /** Called once with a function that ends the pause early; call it when there is work. */
  onWake?(wake: () => void): void;
};

export type RunningLoop = { close(): Promise<void> };

const failures = metrics.counter({
  name: 'gp_loop_failures_total',
  help: 'Passes of a background loop that failed, by the code of the failure',
  unit: 'passes',
  labels: ['loop', 'code'],
});

/** First wait after a failed pass, for short faults. It doubles up to a wait that an operator notices. */
const firstBackoffMs = 100;
const longestBackoffMs = 5_000;

/**
 * Runs a loop until it is closed; closing ends the pause and waits for the pass in hand. A failing pass never
 * ends the loop: it is repeated with growing, jittered waits and logged once per kind of failure. A pass has no
 * span, because most find nothing to do: work worth a trace starts its own, linked to its cause.
 */
export function runLoop(loop: Loop, log: Logger): RunningLoop {
  const stopping = new AbortController();
  const pause = pausing(stopping.signal);
  loop.onWake?.(pause.wake);
  const report = reporting(loop.name, log);
  // No failure yet: a series without a code shows that the loop exists.
  failures.inc({ loop: loop.name, code: '' }, 0);

  const run = async () => {
    let failed = 0;
    while (!stopping.signal.aborted) {
      pause.reset();
      try {
        const result = await loop.runOnce(stopping.signal);
        report.worked();
        failed = 0;
        if (result === 'idle') await pause.wait(loop.idleMs);
      } catch (error) {
        if (stopping.signal.aborted) break;
        report.failed(error);
        await delay(backoffMs(failed++), undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    close() {
      stopping.abort();
      return running;
    },
  };
}

/** Full jitter: replicas that failed together must not retry together. */
function backoffMs(failed: number): number {
  return Math.random() * Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failed + 1));
}

type Pause = { wake(): void; reset(): void; wait(ms: number): Promise<void> };

/** A pause that `wake` ends, or skips when it is called between `reset` and `wait`, while a pass is running. */
function pausing(stop: AbortSignal): Pause {
  let awake = new AbortController();
  return {
    wake: () => awake.abort(),
    reset: () => (awake = new AbortController()),
    async wait(ms) {
      await delay(ms, undefined, { signal: AbortSignal.any([stop, awake.signal]) }).catch(() => undefined);
    },
  };
}

function reporting(loop: string, log: Logger): { worked(): void; failed(error: unknown): void } {
  const seen = new Set<string>();
  let count = 0;
  return {
    worked() {
      if (seen.size > 0) log.info({ loop, count }, 'loop works again');
      seen.clear();
      count = 0;
    },
    failed(error) {
      const code = failureClass(error);
      failures.inc({ loop, code });
      count += 1;
      if (seen.has(code)) return;
      seen.add(code);
      log.warn({ loop, code, err: error }, 'loop failed, retrying');
    },
  };
}
