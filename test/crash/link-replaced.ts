import { randomUUID } from 'node:crypto';
import { ApiFailure, sendUntilAnswered, type Json } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { inSeconds } from '../support/journey.ts';
import { askDatabase, askLedger } from '../support/ledger.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { findMerchant, type Merchant, type StackFile } from '../support/stack.ts';
import { must, until } from './must.ts';

type Bill = { readonly stack: StackFile; readonly merchant: Merchant; readonly id: string };

/** Services that take part in a replacement and need no operator for it, by their schemas. */
const SCHEMAS = ['group_ledger', 'checkout', 'api_gateway', 'merchant'];

/**
 * A merchant's server replaces the link of a bill that is being paid, and then a person at the dashboard does. However
 * often each is repeated, it happens once: the link and its tokens end, and the payment stays (X13, X16).
 */
export async function linkReplaced({ stack }: OwnStack, gateway: string): Promise<void> {
  const since = new Date();
  const bill = await openBill(stack, findMerchant(stack, gateway));
  const dashboard = await openDashboard(stack, bill.merchant);
  await replaced(bill, async () => {
    const once = { ...auth(bill), 'idempotency-key': randomUUID() };
    const roll = () => sendUntilAnswered('POST', `${at(bill)}/roll-checkout-link`, undefined, once);
    const { body } = await roll();
    must('repeated answer', (await roll()).body, body);
    return body;
  });
  const path = `test/group-payments/${bill.id}/roll-checkout-link`;
  await replaced(bill, async () => (await dashboard.post(path, {}, randomUUID())).body);
  await happenedTwice(bill);
  await nobodyIsAsked(bill, since);
}

/** Created and paid without keys, so that the fail points of keys are left to the replacement. */
async function openBill(stack: StackFile, merchant: Merchant): Promise<Bill> {
  const wanted = {
    group_name: 'Journey',
    total_amount: 20,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    distribution: { type: 'equally', number_of_slots: 2 },
  };
  const authorization = `Bearer ${merchant.test_key}`;
  const url = `${stack.api}/v1/group-payments`;
  const { body } = await sendUntilAnswered('POST', url, wanted, { authorization });
  const { id } = body['group_payment'] as { id: string };
  return { stack, merchant, id };
}

async function replaced(bill: Bill, roll: () => Promise<Json>): Promise<void> {
  const old = await readLink(bill);
  const token = await tokenOf(old);
  await sendUntilAnswered(
    'POST',
    `${at(bill)}/pay`,
    { customer_email: 'ana@payers.example' },
    { authorization: `Bearer ${token}` },
  );
  const url = String((await roll())['checkout_url']);
  must('link', await readLink(bill), url);
  must('another link', url !== old, true);
  await until('the old link is unknown', async () => (await fetch(old)).status === 404);
  await until('its token is refused', async () => (await reads(bill, token)) === 401);
  must('a token of the new link', await reads(bill, await tokenOf(url)), 200);
  const { body } = await sendUntilAnswered('GET', at(bill), undefined, auth(bill));
  const states = (body['payment_slots'] as { state: string }[]).map(({ state }) => state);
  must('slots', states, ['assigned', 'assigned']);
}

/** The ledger made two links, and checkout ended the tokens of each older one once. */
async function happenedTwice({ stack, id }: Bill): Promise<void> {
  const rolled = `select count(*)::int as n from operator_actions where action = 'links.roll' and subject = $1`;
  must('replacements', await askLedger(stack, rolled, [id]), [{ n: 2 }]);
  const ended = 'select epoch, link from session_epochs where group_id = $1';
  must('epochs', await askDatabase(stack, 'checkout', ended, [id]), [{ epoch: 2, link: 2 }]);
}

async function nobodyIsAsked({ stack, id }: Bill, since: Date): Promise<void> {
  for (const schema of SCHEMAS) {
    const tasks = await askDatabase(
      stack,
      schema,
      'select key, code from operator_tasks where raised_at >= $1 and (group_id is null or group_id = $2)',
      [since, id],
    );
    must(`tasks for operators in ${schema}`, tasks, []);
  }
}

async function readLink(bill: Bill): Promise<string> {
  const { body } = await sendUntilAnswered('GET', at(bill), undefined, auth(bill));
  return String(body['checkout_url']);
}

const tokenOf = async (link: string): Promise<string> =>
  String((await sendUntilAnswered('POST', `${link}/session`)).body['token']);

/** The status that a payer's token gets; a service that dies meanwhile is asked again. */
const reads = (bill: Bill, token: string): Promise<number> =>
  sendUntilAnswered('GET', at(bill), undefined, { authorization: `Bearer ${token}` }).then(
    ({ status }) => status,
    (failure: unknown) => {
      if (failure instanceof ApiFailure) return failure.answer.status;
      throw failure;
    },
  );

const at = ({ stack, id }: Bill): string => `${stack.api}/v1/group-payments/${id}`;
const auth = ({ merchant }: Bill): Json => ({ authorization: `Bearer ${merchant.test_key}` });
