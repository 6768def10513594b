import { openApi, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { operator } from '../support/operator.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { must, until } from './must.ts';

type Run = { id: string; state: string; payments: number; agreed: number; repaired: number; raised: number };

/** A merchant renames a group, and an operator cancels it and has the captures of another tried again, however often it takes (Q2, D5). */
export async function operated(own: OwnStack, gateway: string): Promise<void> {
  const { stack } = own;
  const api = openApi(stack, findMerchant(stack, gateway));
  const bill = await newGroup(api, 2);
  const refused = await newGroup(api, 1, { metadata: { sandbox_fault: 'capture:decline:1' } });
  const [held, failed] = [
    await paySlot(stack, api, bill, 0, payer('ana')),
    await paySlot(stack, api, refused, 0, payer('ben')),
  ];
  const findState = async (id: string) => (await api.findGroup(id)).group_payment.state;
  const act = async (command: string, id: string): Promise<void> => {
    // An operator without an answer looks before repeating the command.
    await operator(stack, ...command.split(' '), '--group', id).catch(() => undefined);
  };

  const group_name = 'Journey again';
  await api.client.updateGroupPayment(bill.group_payment.id, { group_name });
  must('name', (await api.findGroup(bill.group_payment.id)).group_payment.group_name, group_name);

  await until('the group is cancelled', async () => {
    await act('group cancel', bill.group_payment.id);
    return (await findState(bill.group_payment.id)) === 'cancelled';
  });
  must('captured amount', Number((await booksShow(stack, held, 'voided', 90_000)).captured_minor), 0);

  await api.becomes(refused.group_payment.id, ['capture_failed'], 90_000);
  await until('the capture is tried again', async () => {
    await act('captures retry', refused.group_payment.id);
    return (await findState(refused.group_payment.id)) !== 'capture_failed';
  });
  await api.becomes(refused.group_payment.id, ['paid'], 90_000);
  must('captures', effects(await booksShow(stack, failed, 'captured'), 'capture'), 1);
}

/** The books of an account are compared twice: the run that was broken off counts every payment once, too. */
export async function compared(own: OwnStack, gateway: string): Promise<void> {
  const { stack } = own;
  const merchant = findMerchant(stack, gateway);
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 1);
  await paySlot(stack, api, group, 0, payer('ana'));
  await api.becomes(group.group_payment.id, ['paid'], 90_000);
  const [broken, whole] = [await run(own, merchant), await run(own, merchant)];
  const { payments, agreed, repaired, raised } = broken;
  must('comparison', [payments, agreed + repaired, raised], [whole.payments, payments, 0]);
  must('second comparison', [whole.agreed, whole.repaired, whole.raised], [payments, 0, 0]);
}

async function run({ stack }: OwnStack, o: { merchant_id: string; gateway: string | null }): Promise<Run> {
  const account = ['--merchant', o.merchant_id, '--mode', 'test', '--psp', String(o.gateway)];
  let last: Run | undefined;
  await until('a comparison begins', async () => {
    last = await operator<Run>(stack, 'reconcile', 'run', ...account);
    return true;
  });
  await until('the comparison is done', async () => {
    const report = await operator<{ run: Run }>(stack, 'reconcile', 'report', '--run', String(last?.id));
    last = report.run;
    return last.state === 'done';
  });
  if (!last) throw new Error('no comparison');
  return last;
}
