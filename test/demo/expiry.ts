import { inSeconds } from '../support/journey.ts';
import { tell } from './print.ts';
import { ana, checkBooks, takeSlot, useGateway, type Scene } from './scene.ts';

/** A bill that nobody completes: its hold is given back when time is up. */
export async function letExpire(scene: Scene): Promise<void> {
  const { api, stack } = scene;
  tell.chapter('5. A bill that nobody completes');
  await useGateway(scene, 'gateway_a');
  const group = await api.createGroup({
    group_name: 'Cinema',
    total_amount: 24.5,
    currency: 'EUR',
    expires_at: inSeconds(12),
    distribution: { type: 'custom', slots: [{ amount: 14.5 }, { amount: 10 }] },
  });
  const { id, merchant_order_id } = group.group_payment;
  tell.good(`${merchant_order_id} is open for twelve seconds`);
  const pay = await takeSlot(scene, group, 0, ana);
  const expired = await api.becomes(id, ['expired'], 30_000);
  tell.good(`time is up: the bill is ${expired.group_payment.state}`);
  await checkBooks(stack, pay, 'voided');
}
