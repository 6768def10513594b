import { expect, it } from '@jest/globals';
import type { RequestOf, rollPageToken as contract } from '@gp/contracts';
import { findGroupByPageToken } from '../src/app/groups/find-groups.ts';
import { rollPageToken } from '../src/app/groups/roll-link.ts';
import { digest, reserveRequest, scope, useLedger } from './harness.ts';

type Request = RequestOf<typeof contract>;

const ledger = useLedger();
let number = 0;
const request = (group_id: string): Request => ({
  ...scope,
  command_id: digest(`roll ${number++}`),
  fingerprint: digest('roll'),
  group_id,
  actor: 'dashboard:ana@shop.example',
});
const roll = (o: Request) => rollPageToken(ledger.parts)(o);
const find = (page_token: string) => findGroupByPageToken(ledger.db)({ page_token });

it('a replaced link is unknown at once, and the new one opens the group with what was paid so far (X13)', async () => {
  const { group, slots } = await ledger.newGroup();
  await ledger.reserve(reserveRequest(group.id, 'ana@payers.example', [slots[0]!.id]));
  const { page_token, link_number } = await roll(request(group.id));
  expect(page_token).toMatch(/^[0-9a-z]{35}$/);
  expect(link_number).toBe(1);
  await expect(find(group.page_token)).rejects.toMatchObject({ code: 'not_found' });
  const found = await find(page_token);
  expect(found.group).toMatchObject({ id: group.id, link_number: 1, version: 2 });
  expect(found.slots.map(({ state }) => state)).toEqual(['assigned', 'unassigned', 'unassigned']);
});

it('a repeated command replaces the link once, and another input under its id is refused (X13)', async () => {
  const { group } = await ledger.newGroup();
  const once = request(group.id);
  const first = await roll(once);
  expect(await roll(once)).toEqual(first);
  await expect(roll({ ...once, fingerprint: digest('other') })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  expect((await roll(request(group.id))).link_number).toBe(2);
});

it('a browser with a token of an older link takes no slot and is not led to the new link; others are (X15)', async () => {
  const { group, slots } = await ledger.newGroup();
  const [one, two, three] = slots.map(({ id }) => id);
  const { page_token } = await roll(request(group.id));
  const reserve = (slot: string | undefined, o: { link_number?: number }) =>
    ledger.reserve(reserveRequest(group.id, `${slot}@payers.example`, [slot!], o));
  await expect(reserve(one, { link_number: 0 })).rejects.toMatchObject({ code: 'unauthorized' });
  const found = await find(page_token);
  expect(found.slots.map(({ state }) => state)).toEqual(['unassigned', 'unassigned', 'unassigned']);
  expect(await reserve(two, { link_number: 1 })).toMatchObject({ page_token });
  expect(await reserve(three, {})).toMatchObject({ page_token });
});

it('a repeated payment of an older link gets no second answer with the new link (X15)', async () => {
  const { group, slots } = await ledger.newGroup();
  const pay = reserveRequest(group.id, 'ana@payers.example', [slots[0]!.id], { link_number: 0 });
  expect(await ledger.reserve(pay)).toMatchObject({ page_token: group.page_token });
  await roll(request(group.id));
  await expect(ledger.reserve(pay)).rejects.toMatchObject({ code: 'unauthorized' });
});

it('two replacements at once both succeed, and one link is left (X13)', async () => {
  const { group } = await ledger.newGroup();
  const rolled = await Promise.all([roll(request(group.id)), roll(request(group.id))]);
  expect(rolled.map(({ link_number }) => link_number).toSorted()).toEqual([1, 2]);
  const last = rolled.find(({ link_number }) => link_number === 2)!;
  expect((await find(last.page_token)).group.id).toBe(group.id);
});

it('the link of another merchant or of the other mode cannot be replaced (X13, S9)', async () => {
  const { group } = await ledger.newGroup();
  for (const other of [{ merchant_id: 'm-other' }, { mode: 'live' as const }])
    await expect(roll({ ...request(group.id), ...other })).rejects.toMatchObject({ code: 'not_found' });
  expect((await find(group.page_token)).group.link_number).toBe(0);
});

it('the actions of the ledger name the actor, and not the link (X13, Q32)', async () => {
  const { group } = await ledger.newGroup();
  await roll(request(group.id));
  const actions = await ledger.rows<{ actor: string; action: string; details: object }>(
    'select actor, action, details from operator_actions where subject = $1',
    [group.id],
  );
  expect(actions).toEqual([
    {
      actor: 'dashboard:ana@shop.example',
      action: 'links.roll',
      details: { command_id: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ]);
});
