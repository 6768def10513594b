import type { Group, Pay } from '../support/api.ts';
import { refund, type RefundBody } from '../support/refund.ts';
import { tell } from './print.ts';
import { checkBooks, heard, plain, type Scene } from './scene.ts';

/** One slot first, then all that is left: gateway_c refuses, which is told and leaves its payment captured. */
export async function refundPaid(scene: Scene, group: Group, pays: readonly Pay[]): Promise<void> {
  const { id } = group.group_payment;
  tell.chapter('3. Money back');
  const [first, second, third] = pays;
  if (!first || !second || !third) throw new Error('three payments were expected');

  const one = await ask(scene, id, first.slot_ids);
  tell.good(
    `${first.amount} ${first.currency} of one share went back on ${first.psp_code}: the bill is ${one.group_state}`,
  );
  await checkBooks(scene.stack, first, 'refunded');

  const rest = await ask(scene, id);
  tell.good(`then everything that is left: ${rest.refunded_payment_intents.length} payment went back`);
  for (const { psp_code, error } of rest.failed) tell.step(`${psp_code}: not refunded, ${error}`);
  await checkBooks(scene.stack, second, 'refunded');
  await checkBooks(scene.stack, third, 'captured');
  await heard(scene, id, 'group_payment.partially_refunded');
  await scene.api.becomes(id, [rest.group_state]);
  tell.good(`the answer and the bill agree: ${rest.group_state}`);
}

async function ask(scene: Scene, id: string, slots?: readonly string[]): Promise<RefundBody> {
  const { status, body } = await refund(plain(scene), id, slots ? { slots } : {});
  if (status !== 200) throw new Error(`the refund answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
