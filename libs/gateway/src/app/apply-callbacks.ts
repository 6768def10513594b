import { raiseTask, type NewTask } from '@gp/outbox';
import { metrics, span } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import type { Admitted } from '../calls.ts';
import {
  bindCallbacks,
  closeCallbacks,
  listCallbackQueues,
  pauseCallbacks,
  retryCallbacks,
  takeDueCallbacks,
  type StoredCallback,
} from '../db/callbacks.ts';
import { listExternalAmounts } from '../db/external-amounts.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import { toGatewayPayment } from '../domain/gateway-payment.ts';
import { between } from '../fail-points.ts';
import { findLimits } from '../fairness/merchant-limits.ts';
import { openQueueLoop, type QueueLoop } from '../fairness/queue-loop.ts';
import { byMerchant, type MerchantQueue } from '../fairness/merchant-queues.ts';
import { findCallbackRows } from './find-callback-rows.ts';
import { applyTruth } from './apply-truth.ts';

const IDLE_MS = 1_000;
/** With steps that double up to an hour this is a day and a half: a payment of ours is recorded long before. */
const MAX_TRIES = 48;
/**
 * Without our reference it is most likely about a payment the merchant made elsewhere: four minutes are enough.
 */
const MAX_TRIES_UNNAMED = 8;
/** The pause is short: a call of ours ends within its time-out, and money waits for it. */
const CALL_IN_HAND_SECONDS = 1;
/**
 * A query without an answer is repeated after 1, 2, 4 and then 8 seconds; the breaker limits the calls to a gateway that
 * is down.
 */
const LONGEST_UNANSWERED_SECONDS = 8;

const unmatched = metrics.counter({
  name: 'gp_gateway_unmatched_callbacks_total',
  help: 'Genuine callbacks given up because no payment of ours belongs to them',
  unit: 'callbacks',
  labels: ['psp_code'],
});

/**
 * Applies stored callbacks: reads the payment at the gateway and reports its truth, so neither the order nor the
 * number of callbacks matters. One look serves all due callbacks of a payment, and no merchant's callbacks wait for
 * another's.
 */
export function applyCallbacks<C>(adapter: Adapter<C>): QueueLoop<MerchantQueue> {
  const { db, settings, psp, log } = adapter;
  unmatched.inc({ psp_code: psp }, 0);
  const loop: QueueLoop<MerchantQueue> = openQueueLoop<MerchantQueue, Admitted<C>, Due>({
    name: 'apply-callbacks',
    idleMs: IDLE_MS,
    list: () => listCallbackQueues(db),
    ...byMerchant,
    permits: settings.gatewayConcurrency,
    share: ({ merchantId }) => findLimits(settings, merchantId).concurrency,
    admit: (queue) => adapter.calls.admit(queue, 'query'),
    take: async (queue) => toDue(await takeDueCallbacks(db, queue, (2 * settings.leaseMs) / 1000)),
    work: async (due, { calls }) => {
      const movedTo = await applyTraced({ ...adapter, calls }, due);
      if (movedTo) loop.take(movedTo);
    },
    onError: (err) => log.error({ psp_code: psp, err }, 'callbacks could not be applied and are tried again'),
  });
  return loop;
}

/** The due callbacks of one payment, in the order of their arrival. */
type Due = { readonly newest: StoredCallback; readonly all: readonly StoredCallback[] };

function toDue(all: readonly StoredCallback[]): Due | undefined {
  const newest = all.at(-1);
  return newest && { newest, all };
}

/**
 * Result of a query. `pauseSeconds`: a call of our own must end first, so a longer pause between tries would not help.
 */
type Result = 'done' | 'retry' | { readonly pauseSeconds: number };

/**
 * Its spans go to the trace in which the payment began; the callbacks' own traces are linked. Returns the queue of the
 * payment's merchant when the callbacks were moved there instead.
 */
async function applyTraced<C>(adapter: Adapter<C>, due: Due): Promise<MerchantQueue | undefined> {
  const { attempt_id, event_type, traceparent } = due.newest;
  const before = await findCallbackRows(adapter.db, due.newest);
  const owner = await moveToOwner(adapter, due, before[0]);
  if (owner) return owner;
  const attributes = { psp_code: adapter.psp, attempt_id, event_type };
  const parent = before[0]?.traceparent ?? traceparent ?? undefined;
  const links = due.all.map((callback) => callback.traceparent ?? undefined);
  await span('apply callback', { attributes, traceparent: parent, links }, async () => {
    const result = await between(adapter.psp, 'callback-apply', () => apply(adapter, due, before));
    if (result === 'done') return;
    const ids = due.all.map(({ id }) => id);
    if (result === 'retry') await retryCallbacks(adapter.db, ids);
    else await pauseCallbacks(adapter.db, ids, result.pauseSeconds);
  });
  return undefined;
}

/**
 * Moves callbacks that came before the payment's row from the first merchant whose secret signed them to the payment's
 * own, and returns that queue; undefined when they are there.
 */
async function moveToOwner(
  { db }: AdapterCore,
  { newest, all }: Due,
  row: GatewayCall | undefined,
): Promise<MerchantQueue | undefined> {
  if (!row || (row.merchantId === newest.merchant_id && row.mode === newest.mode)) return undefined;
  const { merchantId: merchant_id, mode, credentialVersion: credential_version } = row;
  const ids = all.map(({ id }) => id);
  await bindCallbacks(db, ids, { merchant_id, mode, credential_version });
  return { mode, merchantId: merchant_id };
}

async function apply<C>(adapter: Adapter<C>, due: Due, before: readonly GatewayCall[]): Promise<Result> {
  const row = before[0];
  if (!row) return giveUpIfOld(adapter, due);
  const { merchantId, mode, credentialVersion: version } = row;
  const account = await adapter.accounts.get({ merchantId, mode, version });
  const payment = { ...toGatewayPayment(row), pspReference: due.newest.psp_reference };
  const externalBefore = await listExternalAmounts(adapter.db, row.attemptId);
  const asked = await adapter.calls.query(payment, account);
  switch (asked.kind) {
    case 'absent':
      return giveUpIfOld(adapter, due);
    case 'unknown':
      return { pauseSeconds: Math.min(LONGEST_UNANSWERED_SECONDS, 2 ** (due.newest.tries - 1)) };
    case 'retryable':
      // Not sent: the breaker is open or the gateway limits the rate, which is no fault of the callback.
      return { pauseSeconds: asked.retryAfterSeconds ?? adapter.settings.breakerResetMs / 1000 };
    case 'found':
      break;
  }
  for (const callbacks of splitByDispute(due.all)) {
    const isApplied = await applyTruth(adapter, {
      subject: { ...payment, currency: row.currency },
      truth: asked.truth,
      source: 'callback',
      before,
      externalBefore,
      disputed: callbacks.at(-1)?.is_disputed ?? null,
      callbackIds: callbacks.map(({ id }) => id),
    });
    report(adapter, { row, state: asked.truth.status, callbacks, isApplied });
    if (!isApplied) return { pauseSeconds: CALL_IN_HAND_SECONDS };
  }
  return 'done';
}

function report(
  { log, psp }: AdapterCore,
  o: { row: GatewayCall; state: string; callbacks: readonly StoredCallback[]; isApplied: boolean },
): void {
  const { row, state, callbacks, isApplied } = o;
  const text = isApplied ? 'callback applied' : 'callback put off until a call of ours has its answer';
  for (const { event_type } of callbacks)
    log.info({ psp_code: psp, intent_id: row.intentId, event_type, state }, text);
}

/**
 * Splits callbacks after each statement about a dispute. Such a statement may stand in no other place, so each is
 * applied, in the order of arrival.
 */
export function splitByDispute(callbacks: readonly StoredCallback[]): readonly (readonly StoredCallback[])[] {
  const runs: StoredCallback[][] = [];
  for (const callback of callbacks) {
    const last = runs.at(-1)?.at(-1);
    if (last && last.is_disputed === null) runs.at(-1)?.push(callback);
    else runs.push([callback]);
  }
  return runs;
}

/**
 * Gives callbacks up when no row can be expected any more; our rows are written before a request is sent, so they are
 * late by little.
 */
async function giveUpIfOld({ db, log, psp }: AdapterCore, { all }: Due): Promise<Result> {
  const isOld = ({ attempt_id, tries }: StoredCallback): boolean =>
    tries >= (attempt_id === null ? MAX_TRIES_UNNAMED : MAX_TRIES);
  for (const callback of all.filter(isOld)) {
    const { id, event_id, event_type, psp_reference } = callback;
    unmatched.inc({ psp_code: psp });
    log.error(
      { psp_code: psp, event_id, event_type, psp_reference },
      'a callback belongs to no payment of ours',
    );
    await db.transaction(async (tx) => {
      const isClosed = await closeCallbacks(tx, [id], 'unmatched');
      if (isClosed && callback.attempt_id !== null) await raiseTask(tx, buildQuarantineTask(psp, callback));
    });
  }
  return 'retry';
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
