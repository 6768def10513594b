import { credentialFields } from '@gp/gateway';
import type {
  GatewayAccount,
  Answer,
  Call,
  Card,
  CredentialShape,
  CredentialsVerdict,
  Payment,
  PaymentGateway,
  QueryAnswer,
} from '@gp/gateway';
import { manifest } from '../manifest.ts';
import type { Config } from './config.ts';
import { amountRule } from './domain/amounts.ts';
import { deriveTruth } from './domain/truth.ts';
import {
  mapAuthorisationReply,
  mapCredentialsCheck,
  mapStepReply,
  mapTransportError,
  mapFailedQuery,
} from './provider/answers.ts';
import { verifyCallback } from './provider/callback.ts';
import { openProcessor, type Processor, type Reply } from './provider/client.ts';
import type { Credentials } from './provider/credentials.ts';
import {
  parseActionView,
  buildAuthorisation,
  buildCredentialsCheck,
  hasRedirect,
  parseList,
  parsePaymentView,
  buildStep,
  parseText,
  buildVoid,
} from './provider/wire.ts';

const TEST_KEY = /^sk_(sbox|test)_/;

const credentials: CredentialShape<Credentials> = {
  ...credentialFields(manifest),
  account: 'processing_channel_id',
  callbackSecret: 'webhook_secret',
  refuse({ relay_api_key, processor_secret_key }, mode) {
    if (!relay_api_key.startsWith('ev:key:'))
      return { param: 'relay_api_key', reason: 'must look like ev:key:…' };
    if (TEST_KEY.test(processor_secret_key) === (mode === 'test')) return undefined;
    return { param: 'processor_secret_key', reason: `is not a key for ${mode} mode` };
  },
};

/** gateway_b: the card is encrypted in the browser and authorised from here, through a relay that decrypts it. */
export function checkoutCom(config: Config): PaymentGateway<Credentials> {
  const processor = openProcessor({
    processor: { test: config.gatewayTestUrl, live: config.gatewayLiveUrl },
    relay: { test: config.relayTestUrl, live: config.relayLiveUrl },
    relayCa: config.relayCa,
  });
  const publicUrl = (config.publicUrl ?? `http://127.0.0.1:${config.port}`).replace(/\/$/, '');
  return {
    psp: manifest.code,
    credentials,
    amountRule,
    // The payer's page only needs the ids of the key for the encryption; nothing is sent to the processor yet.
    prepare: (_order, { credentials: { team_id, app_id } }) =>
      Promise.resolve({
        kind: 'prepared',
        pspReference: null,
        client: { card_field_team_id: team_id, card_field_app_id: app_id },
      }),
    authorise(payment, card, account, call) {
      const back = `${publicUrl}/returns/${manifest.code}/${payment.attemptId}`;
      return authorise(processor, payment, { card, account, call, back });
    },
    capture: (payment, account, call) =>
      step(processor, payment, {
        path: 'captures',
        body: buildStep(payment, call.idempotencyKey),
        account,
        call,
      }),
    void: (payment, account, call) =>
      step(processor, payment, {
        path: 'voids',
        body: buildVoid(payment, call.idempotencyKey),
        account,
        call,
      }),
    refund: (payment, account, call) =>
      step(processor, payment, {
        path: 'refunds',
        body: buildStep(payment, call.idempotencyKey),
        account,
        call,
      }),
    query: (payment, account, call) => query(processor, payment, account, call),
    verifyCallback,
    // The processor adds ids to the address without a signature: they prove nothing.
    browserReturn: {
      verify: () => Promise.resolve({ kind: 'bare' }),
      findReturnAddress: () => undefined,
    },
    verify: (account, call) => verify(processor, account, call),
  };
}

/**
 * Sends a payment request without a card, which the processor refuses: its reasons show whether it accepts the key, and
 * whether the channel belongs to it. It cannot check the webhook secret: callbacks are verified with it, and no other
 * merchant's.
 */
async function verify(
  processor: Processor,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<CredentialsVerdict<Credentials>> {
  try {
    const body = buildCredentialsCheck(account.credentials.processing_channel_id);
    return mapCredentialsCheck(await processor.post('/payments', body, account, call));
  } catch {
    return { kind: 'unknown' };
  }
}

type Authorisation = {
  readonly card: Card;
  readonly account: GatewayAccount<Credentials>;
  readonly call: Call;
  /** Where the payer comes back to from the bank. */
  readonly back: string;
};

async function authorise(
  processor: Processor,
  payment: Payment,
  { card, account, call, back }: Authorisation,
): Promise<Answer> {
  const { canBeAuthenticated = false } = payment;
  try {
    const body = buildAuthorisation(payment, card, {
      channel: account.credentials.processing_channel_id,
      back: canBeAuthenticated ? back : undefined,
    });
    const reply = await processor.postThroughRelay('/payments', body, account, call);
    const isChallenged = reply.status === 202 && hasRedirect(reply.body);
    if (isChallenged && !canBeAuthenticated) abandon(processor, payment, account, reply);
    const answer = mapAuthorisationReply(reply, canBeAuthenticated);
    // There is no state yet that it could conflict with: the account lacks the permission.
    return answer.kind === 'conflict' ? { kind: 'retryable', reason: answer.reason } : answer;
  } catch (error) {
    return mapTransportError(error);
  }
}

const ABANDON_MS = 5_000;

/**
 * Closes a payment that waits for an authentication that cannot happen; if this call is lost, the payment expires
 * by itself.
 */
function abandon(
  processor: Processor,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  { body }: Reply,
): void {
  const idempotencyKey = `${payment.mode}:${payment.attemptId}:abandon`;
  const call = { idempotencyKey, signal: AbortSignal.timeout(ABANDON_MS) };
  processor
    .post(
      `/payments/${encodePathSegment(parseText(body['id']))}/voids`,
      buildVoid(payment, idempotencyKey),
      account,
      call,
    )
    .catch(() => undefined);
}

async function step(
  processor: Processor,
  { pspReference }: Payment,
  o: { path: string; body: object; account: GatewayAccount<Credentials>; call: Call },
): Promise<Answer> {
  if (pspReference === null) throw new Error('this operation needs the reference of the gateway');
  try {
    const path = `/payments/${encodePathSegment(pspReference)}/${o.path}`;
    return mapStepReply(await processor.post(path, o.body, o.account, o.call));
  } catch (error) {
    return mapTransportError(error);
  }
}

/** Finds the payment, by our reference where we never received the processor's, and the actions on it. */
async function query(
  processor: Processor,
  { pspReference, attemptId }: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<QueryAnswer> {
  try {
    const id = pspReference ?? (await findId(processor, attemptId, account, call));
    if (typeof id !== 'string') return id;
    const found = await processor.get(`/payments/${encodePathSegment(id)}`, account, call);
    if (found.status !== 200) return mapFailedQuery(found);
    const listed = await processor.get(`/payments/${encodePathSegment(id)}/actions`, account, call);
    if (listed.status !== 200) return mapFailedQuery(listed);
    const actions = parseList(listed.body['items']).map(parseActionView);
    return { kind: 'found', truth: deriveTruth(parsePaymentView(found.body), actions) };
  } catch (error) {
    return mapTransportError(error);
  }
}

async function findId(
  processor: Processor,
  reference: string,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<string | Exclude<QueryAnswer, { kind: 'found' }>> {
  const reply = await processor.get(`/payments?reference=${encodePathSegment(reference)}`, account, call);
  if (reply.status !== 200) return mapFailedQuery(reply);
  const [payment] = parseList(reply.body['data']);
  return payment ? parseText(payment['id']) : { kind: 'absent' };
}

const encodePathSegment = encodeURIComponent;
