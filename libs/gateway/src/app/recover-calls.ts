import { span } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import type { Admitted } from '../calls.ts';
import { listCallQueues, takeOverStaleCall } from '../db/gateway-calls.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import { toGatewayPayment } from '../domain/gateway-payment.ts';
import { buildResult } from '../domain/call-result.ts';
import { findLimits } from '../fairness/merchant-limits.ts';
import { openQueueLoop, type QueueLoop } from '../fairness/queue-loop.ts';
import { byMerchant, type MerchantQueue } from '../fairness/merchant-queues.ts';
import { buildLogFields, settle } from './conclude.ts';
import { queryPayment } from './query-payment.ts';
import { finishOperation } from './run-operation.ts';
import { toLeaseSeconds } from './with-lease.ts';

const IDLE_MS = 1_000;

/**
 * Finds rows whose process died between the call and its record, and finishes them: queries first, sends again
 * only what has no effect yet. A card is never sent again, only its payment is queried. No merchant's rows wait for
 * another's.
 */
export function recoverCalls<C>(adapter: Adapter<C>): QueueLoop<MerchantQueue> {
  const { db, settings, psp, log } = adapter;
  return openQueueLoop<MerchantQueue, Admitted<C>, GatewayCall>({
    name: 'recover-attempts',
    idleMs: IDLE_MS,
    list: () => listCallQueues(db),
    ...byMerchant,
    permits: settings.gatewayConcurrency,
    share: ({ merchantId }) => findLimits(settings, merchantId).concurrency,
    admit: (queue) => adapter.calls.admit(queue, 'query'),
    take: (queue) => takeOverStaleCall(db, queue, toLeaseSeconds(settings.leaseMs)),
    work: (row, { calls }) =>
      span(`recover ${row.operation}`, { kind: 'internal', traceparent: row.traceparent ?? undefined }, () =>
        recover({ ...adapter, calls }, row),
      ),
    onError: (err) => log.error({ psp_code: psp, err }, 'a call could not be recovered and is tried again'),
  });
}

function recover<C>(adapter: Adapter<C>, row: GatewayCall): Promise<void> {
  adapter.log.warn(buildLogFields(adapter, row), 'recovering a call whose answer was lost');
  const { credentialVersion, operationId } = row;
  switch (row.operation) {
    case 'prepare':
      return abandonPreparation(adapter, row);
    case 'authorise':
      return queryPayment(adapter)({ payment: toGatewayPayment(row), credentialVersion, operationId });
    default:
      return finishOperation(adapter)(row);
  }
}

/** No caller received its secret, so the payment cannot be paid: its state at the gateway does not matter. */
async function abandonPreparation({ db }: AdapterCore, row: GatewayCall): Promise<void> {
  await settle(db, row, buildResult('absent', 'fail'));
}
