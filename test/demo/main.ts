import { pspCodes } from '@gp/gateway-registry';
import type { Group, Pay } from '../support/api.ts';
import { merchantApi } from '../support/api.ts';
import { inSeconds } from '../support/journey.ts';
import { openReceiver } from '../support/receiver.ts';
import { useStack } from '../support/running.ts';
import { findMerchant } from '../support/stack.ts';
import { tell } from './print.ts';
import { race } from './race.ts';
import { refundPaid } from './refund.ts';
import { ana, ben, checkBooks, cleo, heard, takeSlot, useGateway, type Scene } from './scene.ts';
import { writeStory } from './story-log.ts';
import { travelInTime } from './time-travel.ts';
import { drawnTrace, spansFile } from './trace.ts';

const FRIENDS = [ben, cleo, ana];

tell.chapter('Group Payments, the whole life of a bill');
const { stack, close } = await useStack(tell.note, { GP_TRACES: '1', ...process.env });
const receiver = await openReceiver();
try {
  const merchant = findMerchant(stack, 'multi');
  const scene: Scene = { stack, merchant, api: merchantApi(stack.api, merchant.test_key), receiver };
  await listen(scene);
  const { group, pays } = await payTogether(scene);
  await refundPaid(scene, group, pays);
  await race(scene);
  await travelInTime(scene);
  await showStory(pays);
  tell.chapter('Done');
} catch (error) {
  tell.bad(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await receiver.close();
  await close();
}

async function listen({ api, receiver: { url, trust, onEvent } }: Scene): Promise<void> {
  tell.chapter('1. The merchant listens');
  const endpoint = await api.createWebhook(url);
  trust(endpoint.secret);
  onEvent((event) => tell.event(`${event.type}  (signature verified)`));
  tell.good(`webhook endpoint ${endpoint.id} is registered`);
}

async function payTogether(scene: Scene): Promise<{ group: Group; pays: Pay[] }> {
  const slots = pspCodes.length;
  tell.chapter(`2. ${slots} friends share one bill of ${slots * 30}.00 EUR, each over another gateway`);
  const group = await scene.api.createGroup({
    group_name: 'Dinner at Casa Lola',
    total_amount: slots * 30,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    distribution: { type: 'equally', number_of_slots: slots },
  });
  const { id, merchant_order_id } = group.group_payment;
  const shares = group.payment_slots.map(({ amount }) => amount).join(' + ');
  tell.good(`${merchant_order_id} is open: ${shares} EUR`);
  tell.note(`checkout_url ${group.checkout_url}`);

  const pays: Pay[] = [];
  for (const [index, code] of pspCodes.entries()) {
    await useGateway(scene, code);
    pays.push(await takeSlot(scene, group, index, FRIENDS[index % FRIENDS.length] ?? ana));
  }

  const paid = await scene.api.becomes(id, ['paid']);
  tell.good(`every share was held, so all were captured at once: the bill is ${paid.group_payment.state}`);
  await heard(scene, id, 'group_payment.paid');
  for (const pay of pays) await checkBooks(scene.stack, pay, 'captured');
  return { group, pays };
}

async function showStory(pays: readonly Pay[]): Promise<void> {
  const pay = pays[1];
  if (!pay) return;
  tell.chapter('6. One payment, as its services tell it');
  const { file, traceId, lines } = await writeStory(pay.payment_intent_id);
  lines.forEach((line) => tell.note(line));
  tell.good(`log of this payment: ${file}`);
  tell.chapter('7. The same payment as a trace');
  const drawn = await drawnTrace(traceId);
  drawn?.forEach((line) => tell.note(line));
  if (drawn) tell.good(`trace ${traceId}, every span: grep ${traceId} ${spansFile()}`);
  else tell.good(`trace ${traceId}; a stack started with GP_TRACES=1 keeps it, too`);
}
