import { findManifest } from '@gp/gateway-registry';
import type { Group, Pay } from '../support/api.ts';
import { refund, type RefundBody } from '../support/refund.ts';
import { tell } from './print.ts';
import { checkBooks, heard, plain, type Scene } from './scene.ts';

/** One slot first, then all that is left; where the gateway's API has no refunds, the payment stays captured. */
export async function refundPaid(scene: Scene, group: Group, pays: readonly Pay[]): Promise<void> {
  const { id } = group.group_payment;
  tell.chapter('3. Money back');
  const [first, ...others] = pays;
  if (!first) throw new Error('a payment was expected');

  const one = await ask(scene, id, first.slot_ids);
  tell.good(
    `${first.amount} ${first.currency} of one share went back on ${first.psp_code}: the bill is ${one.group_state}`,
  );
  await checkBooks(scene.stack, first, 'refunded');

  const rest = await ask(scene, id);
  tell.good(`then everything that is left: ${rest.refunded_payment_intents.length} payment went back`);
  for (const { psp_code, error } of rest.failed) tell.step(`${psp_code}: not refunded, ${error}`);
  for (const pay of others) {
    const { isRefundable } = findManifest(pay.psp_code).ledger;
    await checkBooks(scene.stack, pay, isRefundable ? 'refunded' : 'captured');
  }
  await heard(scene, id, 'group_payment.partially_refunded');
  await scene.api.becomes(id, [rest.group_state]);
  tell.good(`the answer and the bill agree: ${rest.group_state}`);
}

async function ask(scene: Scene, id: string, slots?: readonly string[]): Promise<RefundBody> {
  const { status, body } = await refund(plain(scene), id, slots ? { slots } : {});
  if (status !== 200) throw new Error(`the refund answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
