import type { Adapter } from '../adapter.ts';
import { listPaymentCalls } from '../db/gateway-calls.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { GatewayAccount } from '../domain/payment.ts';
import type { MerchantQueue } from '../fairness/merchant-queues.ts';
import type { BrowserReturn } from '../gateway.ts';
import { storeCallback, type Verified } from './receive-callback.ts';

/**
 * `address`: where the browser goes next, the merchant's own page or else the page it was paid from; null
 * without.
 */
export type Returned =
  { readonly kind: 'unknown' | 'forged' } | { readonly kind: 'back'; address: string | null };

const MINUTE_MS = 60_000;

/**
 * Receives a payer who comes back from the gateway's page. The browser's parameters only make us query the
 * payment earlier: its state always comes from the gateway. Signed parameters must be genuine and about this
 * payment.
 */
export function receiveReturn<C>(
  adapter: Adapter<C>,
  browserReturn: BrowserReturn<C>,
  onStored: (queue: MerchantQueue) => void,
): (o: { attemptId: string; query: URLSearchParams }) => Promise<Returned> {
  const { psp, accounts, db, log, clock } = adapter;
  const store = storeCallback(adapter, onStored);
  return async ({ attemptId, query }) => {
    const rows = await listPaymentCalls(db, attemptId);
    const [row] = rows;
    if (!row) return { kind: 'unknown' };
    const { merchantId, mode, credentialVersion: version } = row;
    const account = await accounts.get({ merchantId, mode, version });
    const found = await browserReturn.verify(query, accounts.listSigners);
    if (found.kind === 'forged' || (found.kind === 'verified' && !isAbout(row, found))) {
      log.warn({ psp_code: psp, attempt_id: attemptId }, 'a returning browser brought forged parameters');
      return { kind: 'forged' };
    }
    await store(found.kind === 'verified' ? found : bare(row, account, clock.now()));
    const shop = browserReturn.findReturnAddress(account.credentials);
    const page = rows.find(({ returnUrl }) => returnUrl !== null)?.returnUrl ?? null;
    return { kind: 'back', address: shop === undefined ? page : buildAddress(shop, row) };
  };
}

const isAbout = <C>(row: GatewayCall, { attemptId, pspReference, signers }: Verified<C>): boolean =>
  attemptId === row.attemptId &&
  pspReference === row.pspReference &&
  signers.some(({ merchantId, mode }) => merchantId === row.merchantId && mode === row.mode);

/** A return without parameters: one query a minute at most, so that reloading it costs the gateway nothing. */
function bare<C>(
  { attemptId, pspReference }: GatewayCall,
  account: GatewayAccount<C>,
  now: Date,
): Verified<C> {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  return {
    kind: 'verified',
    signers: [account],
    eventId: `return:${attemptId}:${minute}`,
    eventType: 'return',
    pspReference: pspReference ?? '',
    attemptId,
    isDisputed: null,
  };
}

/**
 * Returns the merchant's own address with the payment's id; the merchant gets the result from us, not from a
 * browser.
 */
function buildAddress(address: string, { groupId, intentId }: GatewayCall): string {
  const url = new URL(address.replaceAll('{id}', groupId));
  url.searchParams.set('group_payment_id', groupId);
  url.searchParams.set('payment_intent_id', intentId);
  return url.href;
}
