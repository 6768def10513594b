import type { Loop } from '@gp/service';
import { raiseTask, type NewTask } from '@gp/outbox';
import { metrics, span } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import { findAttemptIdByReference, listPaymentAttempts } from '../db/gateway-calls.ts';
import { closeCallback, retryCallback, takeDueCallbacks, type StoredCallback } from '../db/callbacks.ts';
import { listMirrored } from '../db/mirrored.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import { toGatewayPayment } from '../domain/subject.ts';
import { between } from '../fail-points.ts';
import { applyTruth } from './learn.ts';

/** Callbacks in hand at once: enough to hide a gateway's latency, few enough for a pool of four connections. */
const BATCH = 8;
const IDLE_MS = 500;
/** With steps that double up to an hour this is a day and a half: a payment of ours is recorded long before. */
const MAX_TRIES = 48;
/**
 * Without our reference it is most likely about a payment the merchant made elsewhere: four minutes are enough.
 */
const MAX_TRIES_UNNAMED = 8;

const unmatched = metrics.counter({
  name: 'gp_gateway_unmatched_callbacks_total',
  help: 'Genuine callbacks given up because no payment of ours belongs to them',
  unit: 'callbacks',
  labels: ['psp_code'],
});

/**
 * Applies stored callbacks: reads the payment at the gateway and reports its truth, so neither the order nor the
 * number of callbacks matters. A callback that cannot be applied yet is tried again after 1 s, 2 s … 1 h.
 */
export function applyCallbacks<C>(adapter: Adapter<C>): Loop & { wake(): void } {
  const { db, settings, psp } = adapter;
  unmatched.inc({ psp_code: psp }, 0);
  let wake = (): void => undefined;
  return {
    name: 'apply-callbacks',
    idleMs: IDLE_MS,
    onWake: (listener) => (wake = listener),
    wake: () => wake(),
    async runOnce() {
      const leaseSeconds = (2 * settings.leaseMs) / 1000;
      const due = await takeDueCallbacks(db, { limit: BATCH, leaseSeconds });
      await Promise.all(due.map((callback) => applyTraced(adapter, callback)));
      return due.length === BATCH ? 'busy' : 'idle';
    },
  };
}

/** Its spans go to the trace in which the payment began; the callback's own trace is linked. */
async function applyTraced<C>(adapter: Adapter<C>, callback: StoredCallback): Promise<void> {
  const before = await findCallbackRows(adapter, callback);
  const { attempt_id, event_type, traceparent } = callback;
  const attributes = { psp_code: adapter.psp, attempt_id, event_type };
  const parent = before[0]?.traceparent ?? traceparent ?? undefined;
  await span(
    'apply callback',
    { kind: 'consumer', attributes, traceparent: parent, links: [traceparent ?? undefined] },
    async () => {
      const isApplied = await between(adapter.psp, 'callback-apply', () => apply(adapter, callback, before));
      if (!isApplied) await retryCallback(adapter.db, callback.id);
    },
  );
}

async function apply<C>(
  adapter: Adapter<C>,
  callback: StoredCallback,
  before: readonly GatewayCall[],
): Promise<boolean> {
  const { log, psp } = adapter;
  const row = before[0];
  if (!row) return giveUpIfOld(adapter, callback);
  const { merchantId, mode, credentialVersion: version } = row;
  const account = await adapter.accounts.get({ merchantId, mode, version });
  const payment = { ...toGatewayPayment(row), pspReference: callback.psp_reference };
  const mirroredBefore = await listMirrored(adapter.db, row.attemptId);
  const asked = await adapter.calls.query(payment, account);
  if (asked.kind !== 'found') return asked.kind === 'absent' && giveUpIfOld(adapter, callback);
  const isApplied = await applyTruth(adapter, {
    subject: { ...payment, currency: row.currency },
    truth: asked.truth,
    source: 'callback',
    before,
    mirroredBefore,
    disputed: callback.is_disputed,
    together: (tx) => closeCallback(tx, callback.id, 'applied'),
  });
  log.info(
    { psp_code: psp, intent_id: row.intentId, event_type: callback.event_type, state: asked.truth.status },
    isApplied ? 'callback applied' : 'callback put off until a call of ours has its answer',
  );
  return isApplied;
}

/**
 * Returns our rows of the payment a callback names; another merchant's or mode's payment does not match (B5).
 */
async function findCallbackRows({ db }: AdapterCore, callback: StoredCallback): Promise<GatewayCall[]> {
  const { merchant_id: merchantId, mode, psp_reference: pspReference } = callback;
  const attemptId =
    callback.attempt_id ?? (await findAttemptIdByReference(db, { pspReference, merchantId, mode }));
  if (attemptId === undefined) return [];
  return (await listPaymentAttempts(db, attemptId)).filter(
    (row) =>
      row.merchantId === merchantId &&
      row.mode === mode &&
      (row.pspReference === null || row.pspReference === pspReference),
  );
}

/**
 * Returns true when no row can be expected any more; our rows are written before a request is sent, so they are
 * late by little.
 */
async function giveUpIfOld({ db, log, psp }: AdapterCore, callback: StoredCallback): Promise<boolean> {
  const { event_id, event_type, psp_reference, tries } = callback;
  if (tries < (callback.attempt_id === null ? MAX_TRIES_UNNAMED : MAX_TRIES)) return false;
  unmatched.inc({ psp_code: psp });
  log.error(
    { psp_code: psp, event_id, event_type, psp_reference },
    'a callback belongs to no payment of ours',
  );
  return db.transaction(async (tx) => {
    if (!(await closeCallback(tx, callback.id, 'unmatched'))) return false;
    if (callback.attempt_id !== null) await raiseTask(tx, buildQuarantineTask(psp, callback));
    return true;
  });
}

/**
 * The callback names a payment of ours that does not exist for this merchant and mode: an operator has to find
 * out why (B5).
 */
function buildQuarantineTask(
  psp: string,
  { merchant_id: merchantId, mode, event_id, ...callback }: StoredCallback,
): NewTask {
  const { event_type, psp_reference, attempt_id } = callback;
  return {
    key: `callback_quarantined:${event_id}`,
    code: 'callback_quarantined',
    merchantId,
    mode,
    details: { psp_code: psp, event_type, psp_reference, attempt_id },
  };
}
