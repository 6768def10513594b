import { metrics } from '@gp/telemetry';
import CircuitBreaker from 'opossum';

export type BreakerSettings = {
  /** How long an open breaker waits before it lets one call try. */
  readonly resetMs: number;
  /** Calls within the last ten seconds before the share of failures is evaluated. */
  readonly volumeThreshold: number;
};

/** The breaker opens when more than half of the calls have no usable answer: further calls would not help. */
const ERROR_SHARE_PERCENT = 50;
const WINDOW_MS = 10_000;

const state = metrics.gauge({
  name: 'gp_gateway_breaker_state',
  help: 'State of the circuit breaker by gateway and operation: 0 closed, 1 half open, 2 open',
  unit: 'state',
  labels: ['psp_code', 'operation'],
});

/** A call without a usable answer: only these count against a gateway. */
class NoAnswer extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('the gateway gave no usable answer');
    this.answer = answer;
  }
}

export type Breaker = {
  /**
   * Runs the call unless the breaker is open; then returns `undefined` at once. Declines, refusals and limits
   * show a working gateway: only an answer for which `isFailure` holds, or an exception, counts.
   */
  run<A>(call: () => Promise<A>, isFailure: (answer: A) => boolean): Promise<A | undefined>;
  close(): void;
};

/** One breaker for one operation of one gateway. */
export function openBreaker(psp: string, operation: string, settings: BreakerSettings): Breaker {
  const circuit = new CircuitBreaker((call: () => Promise<unknown>) => call(), {
    // Each call has an AbortSignal of its own; the breaker's timeout would leave the request running.
    timeout: false,
    resetTimeout: settings.resetMs,
    volumeThreshold: settings.volumeThreshold,
    errorThresholdPercentage: ERROR_SHARE_PERCENT,
    rollingCountTimeout: WINDOW_MS,
  });
  const show = (value: number) => () => state.set({ psp_code: psp, operation }, value);
  show(0)();
  circuit.on('close', show(0)).on('halfOpen', show(1)).on('open', show(2));
  return {
    async run<A>(call: () => Promise<A>, isFailure: (answer: A) => boolean) {
      try {
        const guarded = async (): Promise<A> => {
          const answer = await call();
          if (isFailure(answer)) throw new NoAnswer(answer);
          return answer;
        };
        return (await circuit.fire(guarded)) as A;
      } catch (error) {
        if (error instanceof NoAnswer) return error.answer as A;
        if (error instanceof Error && CircuitBreaker.isOurError(error)) return undefined;
        throw error;
      }
    },
    close: () => circuit.shutdown(),
  };
}
