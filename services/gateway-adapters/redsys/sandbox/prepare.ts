import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '@gp/http';
import {
  parseSandboxFault,
  type Reply,
  type Stage,
  UNTOUCHED,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import { pageAnswer, pageDialect, refusedToBrowser, Senseless } from './errors.ts';
import { cardPage, errorPage } from './pages.ts';
import { isOpen, type PaymentC } from './payment.ts';
import { parseAddress, parseAmount, parseCurrency, readMessage, type Message } from './request.ts';

export const buildCardAddress = ({ publicUrl }: Stage, { pspReference, details }: PaymentC): string =>
  `${publicUrl}/gateway_c/bank/${pspReference}/${details.token}`;

/** `POST /sis/realizarPago`: a payer's browser posts an order form; the bank shows its card page. */
export async function openOrder(stage: Stage, request: HttpRequest): Promise<Reply> {
  const wanted = await readOrder(stage, request);
  const { metadata, paymentIntentId } = wanted;
  const rules = parseSandboxFault(metadata['sandbox_fault'] ?? '');
  if (rules.length > 0 && paymentIntentId !== null)
    await stage.books.setOwnFaults(
      'gateway_c',
      { property: 'payment_intent_id', value: paymentIntentId },
      rules,
    );
  // The call's record names the order only once it is in the books.
  const { gateway, account, reference } = wanted;
  const subject = { gateway, account, reference, paymentIntentId, metadata };
  const call = { operation: 'prepare', subject, idempotent: undefined, signal: request.signal } as const;
  return stage.playCall({ ...call, dialect: pageDialect }, async (tx, conduct) => {
    if (conduct.declines) return pageAnswer(errorPage('SIS0256'), 'declined');
    const known = (await tx.lock('gateway_c', wanted.pspReference)) as PaymentC | undefined;
    if (known && !isSameOrder(known, wanted)) return pageAnswer(errorPage('SIS0051'));
    const { amountMinor } = wanted;
    const payment = known ?? {
      ...wanted,
      amountMinor: conduct.wrongAmount ? computeWrongAmount(amountMinor) : amountMinor,
    };
    if (!known) await tx.insert(payment);
    return pageAnswer(cardPage(payment, buildCardAddress(stage, payment)), 'ok', payment.pspReference);
  });
}

/** A reloaded page is the same order, as long as the order has no result. */
function isSameOrder(known: PaymentC, wanted: PaymentC): boolean {
  return (
    isOpen(known) && known.account === wanted.account && known.details.terminal === wanted.details.terminal
  );
}

async function readOrder({ accounts, clock }: Stage, request: HttpRequest): Promise<PaymentC> {
  try {
    const message = await readMessage(accounts, request);
    if (message.parameters['ds_merchant_transactiontype'] !== '1') throw new Senseless('SIS0023');
    return newOrder(message, clock());
  } catch (e) {
    throw e instanceof Senseless ? refusedToBrowser(e) : e;
  }
}

function newOrder(message: Message, createdAt: Date): PaymentC {
  const { account, order, version, terminal, parameters } = message;
  const merchantData = parameters['ds_merchant_merchantdata'] ?? '';
  const metadata = parseMetadata(merchantData);
  return {
    gateway: 'gateway_c',
    pspReference: order,
    account: account.account,
    paymentIntentId: metadata['payment_intent_id'] ?? null,
    reference: metadata['attempt_id'] ?? null,
    metadata,
    amountMinor: parseAmount(message),
    currency: parseCurrency(message),
    ...UNTOUCHED,
    details: {
      terminal,
      ...(account.displayName !== undefined && { shop: account.displayName }),
      version,
      token: randomBytes(16).toString('hex'),
      notifyUrl: parseAddress(message, 'ds_merchant_merchanturl'),
      urlOk: parseAddress(message, 'ds_merchant_urlok'),
      urlKo: parseAddress(message, 'ds_merchant_urlko'),
      merchantData,
      card: null,
      challenge: null,
      response: null,
      authCode: null,
      answeredAt: null,
    },
    createdAt,
  };
}

/** A longer id is not valid, and exceeds what an index can hold. */
const LONGEST_ID = 255;

/** Decodes the merchant's data; they may still be text that cannot be stored. */
function parseMetadata(merchantData: string): Record<string, string> {
  const metadata = Object.fromEntries(new URLSearchParams(merchantData));
  const ids = [metadata['attempt_id'], metadata['payment_intent_id']];
  const isStorable =
    Object.entries(metadata).every((pair) => pair.every((text) => !text.includes('\0'))) &&
    ids.every((id = '') => id.length <= LONGEST_ID);
  if (!isStorable) throw new Senseless('SIS0431');
  return metadata;
}
