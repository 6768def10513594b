import type { Clock } from '@gp/service';
import type { PspCode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import type { Logger } from '@gp/telemetry';
import type { Accounts } from './accounts.ts';
import type { Calls } from './calls.ts';
import type { LimitSettings } from './fairness/merchant-limits.ts';
import type { PaymentGateway } from './gateway.ts';

export type AdapterSettings = LimitSettings & {
  /** How long a row belongs to the process that works on it before another may take it over. */
  readonly leaseMs: number;
  /** How long a payment may be invisible at the gateway before the adapter reports it as absent. */
  readonly settleWindowMs: number;
  /** Orders of one kind, or queries for callbacks, in hand at once in one mode. */
  readonly gatewayConcurrency: number;
  /** How long a circuit breaker stays open before it lets a call try. */
  readonly breakerResetMs: number;
  /** How long an accepted operation is polled for its result before it counts as unknown. */
  readonly acceptedWaitMs: number;
};

/** The parts that every use case works with, whatever the gateway. */
export type AdapterCore = {
  readonly psp: PspCode;
  readonly db: Db;
  readonly log: Logger;
  readonly clock: Clock;
  readonly settings: AdapterSettings;
  /** Call it after a commit that wrote messages. */
  readonly wakeRelay: () => void;
};

/** `C`: the gateway's credentials. */
export type Adapter<C> = AdapterCore & {
  readonly gateway: PaymentGateway<C>;
  readonly calls: Calls<C>;
  readonly accounts: Accounts<C>;
};
