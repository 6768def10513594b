import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import type { Adapter } from '../../src/adapter.ts';
import { guardedCalls } from '../../src/calls.ts';
import type { QueryAnswer, Truth } from '../../src/domain/payment.ts';
import type { PaymentGateway } from '../../src/gateway.ts';
import { openBudget } from '../../src/token-bucket.ts';

type Credentials = Readonly<Record<string, string>>;
export type FairAdapter = Adapter<Credentials>;
export type FakeGateway = Partial<Pick<PaymentGateway<Credentials>, 'query' | 'capture' | 'void'>>;

/** An adapter with the real budget, breakers and limits of concurrency, over a gateway that a test writes. */
export function openFairAdapter(
  db: Db,
  gateway: FakeGateway,
  o: {
    gatewayConcurrency?: number;
    merchantConcurrency?: number;
    merchantLimits?: Readonly<Record<string, string>>;
    perSecond?: number;
    burst?: number;
  } = {},
): FairAdapter {
  const log = createLogger({ service: 'test', level: 'silent' });
  const { gatewayConcurrency = 16, merchantConcurrency = 4, perSecond = 1_000, burst = perSecond } = o;
  const { merchantLimits } = o;
  const breaker = { resetMs: 1_000, volumeThreshold: 1_000, merchantThreshold: 1_000 };
  const played = { psp: 'gateway_a', ...gateway } as PaymentGateway<Credentials>;
  const accounts = {
    get: (account: object) => Promise.resolve({ ...account, credentials: {} }),
    renewed: () => Promise.resolve(undefined),
  };
  const calls = guardedCalls({
    gateway: played,
    accounts,
    budget: openBudget(() => ({ perSecond, burst })),
    settings: { callTimeoutMs: 60_000, breaker },
    log,
  });
  return {
    ...{ psp: 'gateway_a', db, log, calls, gateway: played, accounts },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
    settings: {
      ...{ leaseMs: 60_000, settleWindowMs: 0, acceptedWaitMs: 0 },
      ...{ gatewayConcurrency, merchantConcurrency, merchantLimits, breakerResetMs: 1_000 },
    },
  } as unknown as FairAdapter;
}

/** A payment that is held, as the gateway shows it. */
export const held = (pspReference: string): QueryAnswer => ({
  kind: 'found',
  truth: heldTruth(pspReference),
});

const heldTruth = (pspReference: string): Truth => ({
  ...{ pspReference, status: 'authorised', amountMinor: 1_500n, capturedMinor: 0n, refundedMinor: 0n },
  ...{ currency: 'EUR', captureBefore: null, isOpenToPayer: false, isDisputed: null, failure: null },
  actions: [],
});

/** A door that calls wait at until a test opens it. */
export function newDoor() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let waiting = 0;
  return {
    open: () => open(),
    waiting: () => waiting,
    async pass(): Promise<void> {
      waiting += 1;
      await opened;
    },
  };
}
