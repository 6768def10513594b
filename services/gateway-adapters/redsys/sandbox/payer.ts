import type { ClientData } from '@gp/contracts';
import { payerRequest, unknownPayment, type PlayedPayer, type Stage } from '@gp/psp-sandbox/kit';
import { magicValues } from '../manifest.ts';
import { submitCard } from './authorise.ts';
import { answerChallenge } from './challenge.ts';
import { Senseless } from './errors.ts';
import { isOpen, type PaymentC } from './payment.ts';
import { openOrder } from './prepare.ts';
import { readMessage, type Message } from './request.ts';

/** Posts the form to the bank's page, types the card there, and the issuer's code where it asks for one. */
export async function pay(stage: Stage, client: ClientData, payer: PlayedPayer): Promise<undefined> {
  const fields = client.gateway_c_form?.body ?? {};
  const { signal } = payer;
  const posted = payerRequest({ path: '/gateway_c/sis/realizarPago', fields, signal });
  const { order } = await readOwnOrder(stage, posted);
  await openOrder(stage, posted);
  const payment = await findOrder(stage, order);
  // The bank could not open its page.
  if (payment === undefined) return;
  const { token } = payment.details;
  const send = (page: 'bank' | '3ds', typed: Readonly<Record<string, string>>) =>
    payerRequest({
      path: `/gateway_c/${page}/${order}/${token}`,
      params: { order, token },
      fields: typed,
      signal,
    });
  const response = await submitCard(stage, send('bank', toTyped(payer)));
  const answered = await findOrder(stage, order);
  const isAsked = response.status === 200 && answered && isOpen(answered) && answered.details.challenge;
  if (!isAsked) return;
  const typed = payer.isAuthentic ? { code: magicValues.rightCode } : { result: 'failed' };
  await answerChallenge(stage, send('3ds', typed));
}

async function findOrder({ books }: Stage, order: string): Promise<PaymentC | undefined> {
  return (await books.find('gateway_c', order)) as PaymentC | undefined;
}

async function readOwnOrder(
  { accounts }: Stage,
  request: Parameters<typeof readMessage>[1],
): Promise<Message> {
  try {
    return await readMessage(accounts, request);
  } catch (e) {
    throw e instanceof Senseless ? unknownPayment() : e;
  }
}

function toTyped({ card }: PlayedPayer): Readonly<Record<string, string>> {
  return {
    card_number: card.number,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    cvv: card.securityCode,
    pay: 'pay',
  };
}
