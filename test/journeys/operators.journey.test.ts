import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newGroup, openApi } from '../support/journey.ts';
import { operator } from '../support/operator.ts';
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
