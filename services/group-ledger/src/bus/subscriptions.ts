import type { ConsumeOptions } from '@gp/bus';
import {
  fireTimer as timerContract,
  gatewayChanged,
  outcomeRecorded,
  type GatewayConnection,
  type Outcome,
  type TimerFired,
} from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { LedgerParts } from '../app/change/change-group.ts';
import { fireTimer } from '../app/timers/fire-timer.ts';
import { followGateways } from '../app/gateways/follow-gateways.ts';
import { RECONCILE, reconcileDaily } from '../app/reconciliation/reconcile-daily.ts';
import { recordOutcome } from '../app/payments/record-outcome.ts';

export const timerFired = timerContract('ledger');

/** Every fact and durable command the ledger hears. */
export function subscriptions(parts: LedgerParts): ConsumeOptions[] {
  const { db } = parts;
  const onOutcome = recordOutcome(parts);
  const onGroupTimer = fireTimer(parts);
  const onReconcileTimer = reconcileDaily(parts);
  const onTimer = (timer: TimerFired, id: string): Promise<void> =>
    timer.kind === RECONCILE ? onReconcileTimer(timer) : onGroupTimer(timer, id);
  const onGateway = followGateways(parts);
  const common = consumerOf(db);
  return [
    {
      ...common,
      durable: 'ledger-outcomes',
      stream: 'COMMANDS',
      filters: [outcomeRecorded.subject],
      maxInFlight: 32,
      handler: async (message) => void (await onOutcome(message.payload as Outcome)),
    },
    {
      ...common,
      durable: 'ledger-timers',
      stream: 'COMMANDS',
      filters: [timerFired.subject],
      maxInFlight: 32,
      handler: (message) => onTimer(message.payload as TimerFired, message.id),
    },
    {
      ...common,
      durable: 'ledger-gateways',
      stream: 'EVENTS',
      filters: [`${gatewayChanged.subject}.*`],
      maxInFlight: 8,
      keyOf: (message) => message.subject,
      handler: (message) => onGateway(message.payload as GatewayConnection),
    },
  ];
}
