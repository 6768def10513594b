import type { Loop } from '@gp/service';
import { span } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import { listStaleAttempts, takeOverAttempt } from '../db/gateway-calls.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import { toGatewayPayment } from '../domain/subject.ts';
import { buildResult } from '../domain/call-result.ts';
import { buildLogFields, settle } from './conclude.ts';
import { queryPayment } from './query-payment.ts';
import { finishOperation } from './run-operation.ts';
import { toLeaseSeconds } from './with-lease.ts';

const BATCH = 8;
const IDLE_MS = 1_000;

/**
 * Finds rows whose process died between the call and its record, and finishes them: queries first, sends again
 * only what has no effect yet. A card is never sent again, only its payment is queried.
 */
export function recoverCalls<C>(adapter: Adapter<C>): Loop {
  const finish = finishOperation(adapter);
  const query = queryPayment(adapter);

  async function recover(stale: GatewayCall): Promise<void> {
    const row = await takeOverAttempt(adapter.db, stale.id, toLeaseSeconds(adapter.settings.leaseMs));
    if (!row) return;
    adapter.log.warn(buildLogFields(adapter, row), 'recovering a call whose answer was lost');
    const payment = toGatewayPayment(row);
    switch (row.operation) {
      case 'prepare':
        return abandonPreparation(adapter, row);
      case 'authorise':
        return query({ payment, credentialVersion: row.credentialVersion, operationId: row.operationId });
      default:
        return finish(row);
    }
  }

  return {
    name: 'recover-attempts',
    idleMs: IDLE_MS,
    async runOnce() {
      const stale = await listStaleAttempts(adapter.db, BATCH);
      const results = await Promise.allSettled(
        stale.map((row) =>
          span(
            `recover ${row.operation}`,
            { kind: 'internal', traceparent: row.traceparent ?? undefined },
            () => recover(row),
          ),
        ),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return stale.length === BATCH ? 'busy' : 'idle';
    },
  };
}

/** Its secret reached nobody, so nobody can pay it: its state at the gateway does not matter. */
async function abandonPreparation({ db }: AdapterCore, row: GatewayCall): Promise<void> {
  await settle(db, row, buildResult('absent', 'fail'));
}
