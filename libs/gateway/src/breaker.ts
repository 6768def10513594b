import type { Mode } from '@gp/contracts';
import { metrics } from '@gp/telemetry';
import { isFailing, newCallWindow, type CallWindow } from './call-window.ts';
import { newCircuit, type Circuit, type CircuitState } from './circuit.ts';

export type BreakerSettings = {
  /** How long an open breaker waits before it lets one call try. */
  readonly resetMs: number;
  /** Calls within the last ten seconds before the share of failures is evaluated. */
  readonly volumeThreshold: number;
  /** Merchants whose calls must fail before the gateway itself counts as failing. */
  readonly merchantThreshold: number;
};

const stateGauge = metrics.gauge({
  name: 'gp_gateway_breaker_state',
  help: 'State of the circuit breaker by gateway, operation and mode: 0 closed, 1 half open, 2 open for the gateway or for most of its active merchants',
  unit: 'state',
  labels: ['psp_code', 'operation', 'mode'],
});

/** Merchants without recent calls are dropped from memory when there are more than this. */
const MANY = 1_000;
/** Merchants that may try at once whether the gateway works again: one of them may fail for a reason of its own. */
const HOST_TRIALS = 3;

type Merchant = { readonly window: CallWindow; readonly circuit: Circuit };

export type Breaker = {
  /**
   * Runs a merchant's call unless the breaker refuses it; then returns `undefined` at once. Declines, refusals and limits
   * show a working gateway: only an answer for which `isFailure` holds, or an exception, counts.
   */
  run<A>(
    merchantId: string,
    call: () => Promise<A>,
    isFailure: (answer: A) => boolean,
  ): Promise<A | undefined>;
  close(): void;
};

/**
 * The breaker of one operation of one gateway in one mode. It opens for one merchant when most of that merchant's calls
 * fail, since the cause may be the merchant's account; it opens for all when most of the merchants with recent calls
 * fail, and several of them do.
 */
export function openBreaker(
  about: { readonly psp: string; readonly operation: string; readonly mode: Mode },
  settings: BreakerSettings,
  now: () => number = () => performance.now(),
): Breaker {
  const { resetMs, volumeThreshold, merchantThreshold } = settings;
  const labels = { psp_code: about.psp, operation: about.operation, mode: about.mode };
  const merchants = new Map<string, Merchant>();
  const timers = new Set<NodeJS.Timeout>();

  /** An open circuit becomes half open without a call: the metric has to show that, too. */
  const show = (): void => {
    const value = worstState(host, [...merchants.values()]);
    stateGauge.set(labels, value);
    if (value !== 2 || timers.size > 0) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      show();
    }, resetMs);
    timers.add(timer.unref());
  };
  const host = newCircuit({ resetMs, trials: HOST_TRIALS, now, onChange: onHostChange });

  function onHostChange(): void {
    // A gateway that works again starts without the failures of its outage.
    if (host.state() === 0) for (const { window } of merchants.values()) window.clear();
    show();
  }

  function findMerchant(merchantId: string): Merchant {
    const known = merchants.get(merchantId);
    if (known) return known;
    if (merchants.size >= MANY) deleteQuiet(merchants);
    const window = newCallWindow(now);
    const onChange = (): void => {
      if (circuit.state() === 0) window.clear();
      show();
    };
    const circuit = newCircuit({ resetMs, trials: 1, now, onChange });
    const merchant = { window, circuit };
    merchants.set(merchantId, merchant);
    return merchant;
  }

  function record({ window, circuit }: Merchant, hasFailed: boolean): void {
    window.add(hasFailed);
    if (!hasFailed) return;
    const own = window.count();
    if (circuit.state() === 0 && own.calls >= volumeThreshold && isFailing(own)) circuit.open();
    if (host.state() === 0 && isDown([...merchants.values()], volumeThreshold, merchantThreshold))
      host.open();
  }

  stateGauge.set(labels, 0);
  return {
    async run<A>(merchantId: string, call: () => Promise<A>, isFailure: (answer: A) => boolean) {
      const merchant = findMerchant(merchantId);
      const own = merchant.circuit.enter();
      const shared = own && host.enter();
      if (!shared) {
        own?.end(undefined);
        return undefined;
      }
      let hasFailed = true;
      try {
        const answer = await call();
        hasFailed = isFailure(answer);
        return answer;
      } finally {
        record(merchant, hasFailed);
        own.end(hasFailed);
        shared.end(hasFailed);
      }
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Most of the merchants with recent calls fail, several do, and there were enough calls to judge by. */
function isDown(merchants: readonly Merchant[], volume: number, threshold: number): boolean {
  const active = merchants.map(({ window }) => window.count()).filter(({ calls }) => calls > 0);
  const failing = active.filter(isFailing).length;
  const calls = active.reduce((sum, one) => sum + one.calls, 0);
  return calls >= volume && failing >= threshold && failing * 2 > active.length;
}

/** The state of the gateway, or that of most merchants with recent calls where theirs is worse. */
function worstState(host: Circuit, merchants: readonly Merchant[]): CircuitState {
  const refused = merchants.filter(({ circuit }) => circuit.state() !== 0);
  const active = merchants.filter(({ circuit, window }) => circuit.state() !== 0 || window.count().calls > 0);
  const ofMost = refused.length * 2 > active.length ? refused.map(({ circuit }) => circuit.state()) : [];
  return Math.max(host.state(), ...ofMost) as CircuitState;
}

function deleteQuiet(merchants: Map<string, Merchant>): void {
  for (const [merchantId, { window, circuit }] of merchants)
    if (circuit.state() === 0 && window.count().calls === 0) merchants.delete(merchantId);
}
