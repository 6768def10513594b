import { sendUntilAnswered, type Json } from '../support/api.ts';
import { booksShow, inSeconds, newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { must } from './must.ts';

/**
 * The organiser of a bill extends it and then cancels it, at the page of the organiser's link. However often each is sent
 * again, it happens once: one announcement, one release of the hold, and no charge (Q84, Q85).
 */
export async function organised(own: OwnStack, gateway: string): Promise<void> {
  const { stack } = own;
  const api = openApi(stack, findMerchant(stack, gateway));
  const organiser = { may: ['extend', 'cancel'] };
  const group = await newGroup(api, 2, { organiser });
  const { id } = group.group_payment;
  const held = await paySlot(stack, api, group, 0, payer('ana'));
  const act = async (action: string, body: Json = {}): Promise<Json> =>
    (await sendUntilAnswered('POST', `${String(group.organiser_url)}/${action}`, body)).body;

  const expires_at = inSeconds(7_200);
  for (const answer of [await act('extend', { expires_at }), await act('extend', { expires_at })])
    must('expiry', answer['expires_at'], expires_at);
  const updates = `select count(*)::int as n from events where group_id = $1 and type = 'group_payment.updated'`;
  must('announced extensions', await askLedger(stack, updates, [id]), [{ n: 1 }]);

  for (const answer of [await act('cancel'), await act('cancel')])
    must('state', answer['state'], 'cancelled');
  must('captured amount', Number((await booksShow(stack, held, 'voided', 90_000)).captured_minor), 0);
  const ends = `select actor, count(*)::int as n from transitions where group_id = $1 and state_to = 'cancelled'
    and entity = 'group' group by actor`;
  must('cancellations', await askLedger(stack, ends, [id]), [{ actor: 'organiser', n: 1 }]);
}
