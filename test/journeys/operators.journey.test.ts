import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { booksShow, newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { merchants, operator } from '../support/operator.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a'] });
  stack = shared.stack;
});
afterAll(() => shared?.close());

type Key = { readonly key: string; readonly private_key: string };
const add = (name: string, role: string) =>
  operator<Key>(stack, 'keys', 'add', '--name', name, '--role', role);
/** The stack as a person with a key of one's own sees it. */
const seenBy = ({ private_key: operator_key }: Key): StackFile => ({ ...stack, operator_key });

it('a person is enrolled, acts under that name, is limited by the role, and is refused once revoked (Q66, Q67, Q69)', async () => {
  const api = openApi(stack, findMerchant(stack, 'gateway_a'));
  const { id } = (await newGroup(api, 2)).group_payment;
  const [reader, mover] = [await add('rita', 'read'), await add('mo', 'act')];
  const cancel = ['group', 'cancel', '--group', id] as const;

  await operator(seenBy(reader), 'group', 'show', '--group', id);
  await expect(operator(seenBy(reader), ...cancel)).rejects.toThrow(
    'insufficient_scope: the key of rita has the role read',
  );
  expect(await operator(seenBy(mover), ...cancel)).toEqual({ group_id: id, group_state: 'cancelled' });
  const { transitions } = await operator<{ transitions: { actor: string; state_to: string }[] }>(
    seenBy(reader),
    ...['group', 'show', '--group', id],
  );
  expect(transitions.find(({ state_to }) => state_to === 'cancelled')?.actor).toBe('operator:mo');

  for (const { key } of [reader, mover]) await operator(stack, 'keys', 'revoke', '--key', key);
  for (const service of ['ledger', 'scheduler', 'gateway_a'])
    await expect(operator(seenBy(reader), 'tasks', 'list', '--service', service)).rejects.toThrow(
      'unauthorized: the key of rita was revoked',
    );
});

it('an operator finds a group by its order, by its payer, and by the reference that the gateway has', async () => {
  const merchant = findMerchant(stack, 'gateway_a');
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 2);
  const { id, merchant_order_id: order } = group.group_payment;
  const who = payer('sought');
  const paid = await paySlot(stack, api, group, 0, who);
  const { psp_reference: reference } = await booksShow(stack, paid, 'authorised');
  await api.becomes(id, ['partially_preauthorised']);
  const scope = ['--merchant', merchant.merchant_id, '--mode', 'test'] as const;
  const find = (...args: readonly string[]) => operator(stack, 'group', 'find', ...args);

  expect(await find(...scope, '--order', order)).toMatchObject({ id, merchant_order_id: order });
  expect(await find(...scope, '--email', who.email)).toMatchObject({ groups: [{ id }] });
  expect(await find('--psp', 'gateway_a', '--reference', reference)).toEqual({
    groups: [
      {
        ...{ id, merchant_id: merchant.merchant_id, mode: 'test' },
        ...{ state: 'partially_preauthorised', intents: [paid.payment_intent_id] },
      },
    ],
  });
});

it('commands on merchants need nothing but the running stack, and act under its operator’s name', async () => {
  const { dataDir } = shared;
  const { email, merchant_id } = findMerchant(stack, 'gateway_a');
  expect(await merchants(dataDir, 'find', '--email', email)).toMatchObject({ merchant_id, role: 'owner' });
  const at = ['--merchant', merchant_id, '--mode', 'test'] as const;
  const { id, created_by } = await merchants(dataDir, 'key', ...at, '--name', 'by an operator');
  expect(created_by).toBe('operator:local');
  expect(
    await merchants(dataDir, 'revoke-key', '--merchant', merchant_id, '--key', String(id)),
  ).toMatchObject({
    id,
    revoked_at: expect.any(String),
  });
});
