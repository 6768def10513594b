import { newGroup } from '../support/journey.ts';
import { tell } from './print.ts';
import { ana, dana, plain, type Scene } from './scene.ts';

/** Two payers want the last slot at the same moment. Throws unless exactly one of them gets it. */
export async function race(scene: Scene): Promise<void> {
  tell.chapter('4. Two payers want the same slot at the same moment');
  const group = await newGroup(scene.api, 1, { group_name: 'One seat left' });
  const http = plain(scene);
  const slot_ids = group.payment_slots.map(({ id }) => id);
  const answers = await Promise.all(
    [ana, dana].map(async (payer) => {
      const body = { customer_email: payer.email, slot_ids };
      return { payer, ...(await http.post(`/v1/group-payments/${group.group_payment.id}/pay`, body)) };
    }),
  );
  for (const { payer, status, body } of answers)
    tell.step(`${payer.name} hears ${status}${status === 201 ? '' : `: ${String(body['message'])}`}`);
  const winners = answers.filter(({ status }) => status === 201);
  const losers = answers.filter(({ status, body }) => status === 409 && body['code'] === 'no_payable_slots');
  if (winners.length !== 1 || losers.length !== 1) throw new Error('the race did not end with one winner');
  tell.good(`${winners[0]?.payer.name} has the slot, nobody was asked for money twice`);
}
