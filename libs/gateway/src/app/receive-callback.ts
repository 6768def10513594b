import { currentTraceparent, metrics } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../adapter.ts';
import { insertCallback, type Signer } from '../db/callbacks.ts';
import type { GatewayAccount } from '../domain/payment.ts';
import { isRecorded } from '../domain/stated-result.ts';
import { between } from '../fail-points.ts';
import type { MerchantQueue } from '../fairness/merchant-queues.ts';
import type { CallbackVerdict, RawCallback } from '../gateway.ts';
import { findCallbackRows } from './find-callback-rows.ts';

const OUTCOMES = ['stored', 'known', 'irrelevant', 'forged'] as const;
export type Received = (typeof OUTCOMES)[number];

const received = metrics.counter({
  name: 'gp_gateway_callbacks_total',
  help: 'Callbacks from payment gateways, by what became of them on arrival',
  unit: 'callbacks',
  labels: ['psp_code', 'outcome'],
});

/**
 * Receives a gateway's callback: verified over its raw bytes, then stored, and only then acknowledged; a loop
 * applies it, which `onStored` tells whose it is. A forgery only leaves a count and a log line.
 */
export function receiveCallback<C>(
  adapter: Adapter<C>,
  onStored: (queue: MerchantQueue) => void,
): (callback: RawCallback) => Promise<Received> {
  const { psp, gateway, accounts, log } = adapter;
  const store = storeCallback(adapter, onStored);
  for (const outcome of OUTCOMES) received.inc({ psp_code: psp, outcome }, 0);

  async function take(callback: RawCallback): Promise<Received> {
    const found = await gateway.verifyCallback(callback, accounts.listSigners);
    if (found.kind === 'verified') return store(found);
    if (found.kind === 'forged') log.warn({ psp_code: psp, reason: found.reason }, 'a callback was refused');
    return found.kind;
  }

  return async (callback) => {
    const outcome = await take(callback);
    received.inc({ psp_code: psp, outcome });
    return outcome;
  };
}

export type Verified<C> = Extract<CallbackVerdict<C>, { kind: 'verified' }>;

/**
 * Stores that a payment has to be read again. The same event is stored once, whichever way it came and however many
 * merchants' secrets signed it. It is stored for the merchant whose payment it names, as far as that is known yet. Where it
 * only repeats what the answer to our call said, it is stored as applied, and the payment is not read.
 */
export function storeCallback<C>(
  { psp, gateway, db }: Adapter<C>,
  onStored: (queue: MerchantQueue) => void,
): (found: Verified<C>) => Promise<'stored' | 'known'> {
  return async (found) => {
    const named = { attempt_id: found.attemptId, psp_reference: found.pspReference };
    const signers = listMerchants(found.signers);
    const rows = await findCallbackRows(db, { ...named, signers });
    const [payment] = rows;
    const isNews = found.stated === undefined || !isRecorded(rows, found.stated);
    const isOwner = (one: GatewayAccount<C>): boolean =>
      one.merchantId === payment?.merchantId && one.mode === payment.mode;
    const { merchantId, mode, version, credentials } = found.signers.find(isOwner) ?? found.signers[0];
    const row = {
      ...named,
      id: uuidv7(),
      mode,
      merchant_id: merchantId,
      credential_version: version,
      signers: payment ? [{ merchant_id: merchantId, mode }] : signers,
      account: String(credentials[gateway.credentials.account]),
      event_id: found.eventId,
      event_type: found.eventType,
      is_disputed: found.isDisputed,
      traceparent: currentTraceparent() ?? null,
      state: isNews ? ('stored' as const) : ('applied' as const),
    };
    const isNew = await between(psp, 'callback-store', () => insertCallback(db, row));
    if (isNew && isNews) onStored({ mode, merchantId });
    return isNew ? 'stored' : 'known';
  };
}

/** Returns each merchant and mode once, however many versions of its secret fit. */
function listMerchants<C>(accounts: readonly GatewayAccount<C>[]): Signer[] {
  const signers = accounts.map(({ merchantId, mode }) => ({ merchant_id: merchantId, mode }));
  return [...new Map(signers.map((signer) => [`${signer.mode} ${signer.merchant_id}`, signer])).values()];
}
