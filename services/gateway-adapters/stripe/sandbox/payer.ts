import type { ClientData } from '@gp/contracts';
import {
  payerRequest,
  Refused,
  unknownPayment,
  type PlayedPayer,
  type Reply,
  type Stage,
} from '@gp/psp-sandbox/kit';
import { authenticate } from './account.ts';
import { confirm } from './authorise.ts';
import { answerChallenge } from './challenge.ts';
import type { PaymentA } from './payment.ts';
import { readForm } from './request.ts';

/** Confirms with the card as the browser library does, and answers the issuer's question where there is one. */
export async function pay(stage: Stage, client: ClientData, payer: PlayedPayer): Promise<undefined> {
  const id = (client.client_secret ?? '').split('_secret_')[0] ?? '';
  const reply = await confirmCard(stage, id, { client, payer });
  const isAsked = reply.kind === 'answer' && reply.answer.outcome === 'requires_action';
  const payment = isAsked ? ((await stage.books.find('gateway_a', id)) as PaymentA | undefined) : undefined;
  const challenge = payment?.details.challenge;
  if (!challenge) return;
  const { token } = challenge;
  const result = payer.isAuthentic ? 'authenticated' : 'failed';
  const path = `/gateway_a/3ds/${id}/${token}`;
  const { signal } = payer;
  await answerChallenge(stage, payerRequest({ path, params: { id, token }, fields: { result }, signal }));
}

async function confirmCard(
  stage: Stage,
  id: string,
  { client, payer }: { client: ClientData; payer: PlayedPayer },
): Promise<Reply> {
  const { client_secret = '', publishable_key = '', gateway_a_account_id = '' } = client;
  const { card, signal } = payer;
  const fields = {
    key: publishable_key,
    _stripe_account: gateway_a_account_id,
    client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number,
    'payment_method_data[card][exp_month]': card.expiryMonth,
    'payment_method_data[card][exp_year]': card.expiryYear,
    'payment_method_data[card][cvc]': card.securityCode,
  };
  const path = `/gateway_a/v1/payment_intents/${id}/confirm`;
  const request = payerRequest({ path, params: { id }, fields, signal });
  const form = readForm(request.rawBody.toString('utf8'));
  try {
    return await confirm(stage, await authenticate(stage.accounts, request, form), request, form);
  } catch (e) {
    throw e instanceof Refused ? unknownPayment() : e;
  }
}
