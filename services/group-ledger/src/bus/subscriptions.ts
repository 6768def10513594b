import { bySubject, on, type ConsumeOptions } from '@gp/bus';
import { fireTimer as timerContract, gatewayChanged, outcomeRecorded, type TimerFired } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { LedgerParts } from '../app/change/change-group.ts';
import { fireTimer } from '../app/timers/fire-timer.ts';
import { followGateways } from '../app/gateways/follow-gateways.ts';
import { RECONCILE, reconcileDaily } from '../app/reconciliation/reconcile-daily.ts';
import { recordOutcome } from '../app/payments/record-outcome.ts';

/** Every fact and durable command that the ledger receives. */
export function subscriptions(parts: LedgerParts): ConsumeOptions[] {
  const onGroupTimer = fireTimer(parts);
  const onReconcileTimer = reconcileDaily(parts);
  const onTimer = (timer: TimerFired, { id }: { readonly id: string }): Promise<void> =>
    timer.kind === RECONCILE ? onReconcileTimer(timer, id) : onGroupTimer(timer, id);
  const common = buildConsumerOptions(parts.db);
  return [
    on(outcomeRecorded, { durable: 'ledger-outcomes', maxInFlight: 32, ...common }, recordOutcome(parts)),
    on(timerContract('ledger'), { durable: 'ledger-timers', maxInFlight: 32, ...common }, onTimer),
    on(
      gatewayChanged,
      { durable: 'ledger-gateways', maxInFlight: 8, toOrderingKey: bySubject, ...common },
      followGateways(parts),
    ),
  ];
}
