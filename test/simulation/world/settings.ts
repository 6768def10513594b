import type { AdapterConfig } from '@gp/gateway';
import type { LedgerConfig } from '../../../services/group-ledger/src/config.ts';
import type { SchedulerConfig } from '../../../services/scheduler/src/config.ts';

const base = { outboxRepeatMs: 600_000 };

// The defaults of each service, without those that only real connections need.
export const ledgerSettings = {
  ...base,
  orderSilenceMs: 600_000,
  reconcileSettleMs: 60_000,
  reconcileLeaseMs: 120_000,
} as LedgerConfig;

export const schedulerSettings = {
  ...base,
  scanIntervalMs: 1_000,
  testClockFollowers: '',
} as SchedulerConfig;

export const adapterSettings = {
  ...base,
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
  previousEncryptionKeys: undefined,
  callTimeoutMs: 10_000,
  leaseMs: 6_000,
  settleWindowMs: 60_000,
  acceptedWaitMs: 2_000,
  breakerResetMs: 5_000,
  breakerVolume: 10,
  breakerMerchants: 3,
  gatewayConcurrency: 64,
  merchantConcurrency: 12,
  accountCallsPerSecond: 20,
} as unknown as AdapterConfig;
