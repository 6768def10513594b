import { describe, expect, it } from '@jest/globals';
import type { OrganiserRights, RequestOf, rollOrganiserToken as rollContract } from '@gp/contracts';
import { findGroupByPageToken, findOrganisedGroup, listGroups } from '../src/app/groups/find-groups.ts';
import { organiserCancel, organiserExtend } from '../src/app/groups/organiser-commands.ts';
import { rollOrganiserToken } from '../src/app/groups/roll-link.ts';
import { updateGroup } from '../src/app/groups/update-group.ts';
import { readGroupWhole } from '../src/db/lookups/inspect-group.ts';
import { listOrders } from './gateway.ts';
import { heldGroup } from './groups.ts';
import { digest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const HOUR_MS = 60 * 60 * 1_000;
const at = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const all: OrganiserRights = { may: ['remind', 'extend', 'cancel'], latest_expires_at: null };

const organise = async (organiser: OrganiserRights = all, hours = 2) =>
  (await ledger.newGroup({ organiser, expires_at: at(hours) })).group;
const tokenOf = (group: { organiser?: { token: string } }): string => group.organiser?.token ?? '';
const find = (token: string) => findOrganisedGroup(ledger.db)({ token });
const extend = (token: string, expires_at: string) => organiserExtend(ledger.parts)({ token, expires_at });
const cancel = (token: string) => organiserCancel(ledger.parts)({ token });

let number = 0;
const rollRequest = (group_id: string): RequestOf<typeof rollContract> => ({
  ...scope,
  command_id: digest(`roll organiser ${number++}`),
  fingerprint: digest('roll organiser'),
  group_id,
  actor: 'merchant',
});
const roll = (request: RequestOf<typeof rollContract>) => rollOrganiserToken(ledger.parts)(request);

describe('the link of an organiser', () => {
  it('a group has an organiser only where its creation asks for one, and the link opens that group (Q83)', async () => {
    const plain = await ledger.newGroup();
    expect(plain.group).not.toHaveProperty('organiser');
    const group = await organise({ may: ['remind'], latest_expires_at: null });
    expect(group.organiser).toEqual({
      may: ['remind'],
      latest_expires_at: null,
      token: expect.stringMatching(/^[0-9a-z]{35}$/),
      link_number: 0,
    });
    expect(tokenOf(group)).not.toBe(group.page_token);
    const found = await find(tokenOf(group));
    expect(found.group).toEqual(group);
    expect(found.facts?.is_collecting).toBe(true);
  });

  it('groups of one batch keep their own organisers, and lists show them (Q83)', async () => {
    const made = await Promise.all(
      [all, undefined, { may: ['cancel'] as const, latest_expires_at: null }].map((organiser) =>
        ledger.newGroup(organiser ? { organiser: { ...organiser, may: [...organiser.may] } } : {}),
      ),
    );
    expect(made.map(({ group }) => group.organiser?.may)).toEqual([all.may, undefined, ['cancel']]);
    const { groups } = await listGroups(ledger.db)({ ...scope, limit: 100, offset: 0 });
    for (const { group } of made)
      expect(groups.find(({ id }) => id === group.id)?.organiser).toEqual(group.organiser);
  });

  it('neither link opens the page of the other, and no token opens nothing (Q83)', async () => {
    const group = await organise();
    await expect(find(group.page_token)).rejects.toMatchObject({ code: 'not_found' });
    const seen = await findGroupByPageToken(ledger.db)({ page_token: group.page_token });
    expect(JSON.stringify(seen)).not.toContain(tokenOf(group));
    expect(seen.group).not.toHaveProperty('organiser');
    const asPage = findGroupByPageToken(ledger.db)({ page_token: tokenOf(group) });
    await expect(asPage).rejects.toMatchObject({ code: 'not_found' });
    await expect(find('\u0000')).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('a replaced link is unknown at once, for the page and for commands, and a repeat replaces it once (Q83)', async () => {
    const group = await organise();
    const request = rollRequest(group.id);
    const rolled = await roll(request);
    expect(rolled.link_number).toBe(1);
    for (const refused of [find(tokenOf(group)), extend(tokenOf(group), at(5)), cancel(tokenOf(group))])
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect((await find(rolled.token)).group.organiser).toMatchObject({ ...rolled, may: all.may });
    expect(await roll(request)).toEqual(rolled);
    await expect(roll({ ...request, fingerprint: digest('other') })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await findGroupByPageToken(ledger.db)({ page_token: group.page_token })).toMatchObject({
      group: { id: group.id, link_number: 0 },
    });
    expect(
      await ledger.rows('select actor, action from operator_actions where subject = $1', [group.id]),
    ).toEqual([{ actor: 'merchant', action: 'organiser-links.roll' }]);
  });

  it('a command whose link is replaced after its group was found is refused, and changes nothing (Q83)', async () => {
    const group = await organise();
    const replacedFirst = async <T>(_groupId: string, work: () => Promise<T>): Promise<T> => {
      await roll(rollRequest(group.id));
      return work();
    };
    const refused = organiserCancel({ ...ledger.parts, inTurn: replacedFirst })({ token: tokenOf(group) });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect(await ledger.readState(group.id)).toBe('open');
  });

  it('the link of a group without an organiser, of another merchant or of the other mode cannot be replaced (Q83, S9)', async () => {
    const plain = await ledger.newGroup();
    const refused = rollRequest(plain.group.id);
    await expect(roll(refused)).rejects.toMatchObject({ code: 'not_found' });
    expect(
      await ledger.rows('select 1 from commands where id = $1', [Buffer.from(refused.command_id, 'hex')]),
    ).toEqual([]);
    const group = await organise();
    for (const other of [{ merchant_id: 'm-other' }, { mode: 'live' as const }])
      await expect(roll({ ...rollRequest(group.id), ...other })).rejects.toMatchObject({ code: 'not_found' });
    expect((await find(tokenOf(group))).group.organiser?.link_number).toBe(0);
  });

  it('an operator who inspects a group reads no token of a link (Q83, S9)', async () => {
    const group = await organise();
    const whole = JSON.stringify(await readGroupWhole(ledger.db, group.id));
    expect(whole).toContain('organiser_rights');
    for (const token of [group.page_token, tokenOf(group)]) expect(whole).not.toContain(token);
  });
});

describe('the rights of an organiser at creation', () => {
  it('the latest expiry is a day after the first where none is named, and never more than seven days ahead (Q84)', async () => {
    const soon = await organise();
    expect(soon.organiser?.latest_expires_at).toBe(
      new Date(Date.parse(soon.expires_at) + 24 * HOUR_MS).toISOString(),
    );
    const late = await organise(all, 167);
    const ahead = Date.parse(late.organiser?.latest_expires_at ?? '') - Date.parse(late.created_at);
    expect(Math.abs(ahead - 168 * HOUR_MS)).toBeLessThan(5_000);
    const named = at(30);
    const chosen = await organise({ may: ['extend'], latest_expires_at: named });
    expect(chosen.organiser?.latest_expires_at).toBe(named);
  });

  it('a latest expiry is judged and chosen by the test clock where that is ahead (Q84, R8)', async () => {
    const merchant_id = 'm-organiser-ahead';
    const setClock = `insert into test_clocks (merchant_id, ahead, revision) values ($1, interval '3 days', 1)`;
    await ledger.rows(setClock, [merchant_id]);
    const create = async (latest_expires_at: string | null, days: number) => {
      const expires_at = at(days * 24);
      const organiser = { may: ['extend' as const], latest_expires_at };
      return (await ledger.newGroup({ merchant_id, organiser, expires_at })).group;
    };
    const named = at(9 * 24);
    expect((await create(named, 4)).organiser?.latest_expires_at).toBe(named);
    const { expires_at, organiser } = await create(null, 6.5);
    expect(organiser?.latest_expires_at).toBe(new Date(Date.parse(expires_at) + 24 * HOUR_MS).toISOString());
  });

  it.each([
    [
      'not later than the first expiry',
      { may: ['extend'] as const, hours: 2 },
      'must be later than expires_at',
    ],
    ['too far ahead', { may: ['extend'] as const, hours: 170 }, 'cannot be more than 7 days in the future'],
    ['without the right to extend', { may: ['cancel'] as const, hours: 5 }, 'needs the right to extend'],
  ])('a latest expiry %s is refused (Q84)', async (_what, { may, hours }, reason) => {
    const expires_at = at(2);
    const latest_expires_at = hours === 2 ? expires_at : at(hours);
    const made = ledger.newGroup({ organiser: { may: [...may], latest_expires_at }, expires_at });
    await expect(made).rejects.toMatchObject({
      code: 'validation_error',
      data: { param: 'organiser.latest_expires_at' },
      message: expect.stringContaining(reason),
    });
  });
});

describe('an extension by the organiser', () => {
  it('an extension moves the expiry and its timer, is announced, and repeated it changes nothing (Q84)', async () => {
    const group = await organise();
    const later = at(20);
    const extended = await extend(tokenOf(group), later);
    expect(extended.group).toMatchObject({ expires_at: later, version: 2 });
    expect((await ledger.timers(group.id)).at(-1)?.timer?.due_at).toBe(later);
    expect(await ledger.rows('select type from events where group_id = $1', [group.id])).toEqual([
      { type: 'group_payment.updated' },
    ]);
    expect((await extend(tokenOf(group), later)).group.version).toBe(2);
  });

  it('an extension past the latest expiry is refused with the reason (Q84)', async () => {
    const group = await organise({ may: ['extend'], latest_expires_at: at(6) });
    await expect(extend(tokenOf(group), at(7))).rejects.toMatchObject({
      code: 'validation_error',
      data: { param: 'expires_at' },
      message: expect.stringContaining(group.organiser?.latest_expires_at ?? '-'),
    });
    expect((await find(tokenOf(group))).group.version).toBe(1);
  });

  it('an extension that is sent again after the merchant went further is answered with the group as it is now (Q88)', async () => {
    const group = await organise();
    const [asked, further] = [at(4), at(50)];
    await extend(tokenOf(group), asked);
    await updateGroup(ledger.parts)({
      ...scope,
      command_id: digest('further'),
      fingerprint: digest('further'),
      group_id: group.id,
      actor: 'merchant',
      expires_at: further,
    });
    expect((await extend(tokenOf(group), asked)).group).toMatchObject({ expires_at: further, version: 3 });
    await expect(extend(tokenOf(group), at(51))).rejects.toMatchObject({ code: 'validation_error' });
    await cancel(tokenOf(group));
    expect((await extend(tokenOf(group), asked)).group).toMatchObject({ state: 'cancelled', version: 7 });
    expect(await ledger.count('events where group_id = $1', [group.id])).toBe(3);
  });

  it('an extension after the expiry finds the group expired, as an update of the merchant does (Q84, C2)', async () => {
    const group = await organise();
    await ledger.passExpiry(group.id);
    await expect(extend(tokenOf(group), at(99))).rejects.toMatchObject({ code: 'group_expired' });
    expect(await ledger.readState(group.id)).toBe('expired');
  });

  it('an extension and a cancellation need the right that the merchant gave (Q84, Q85)', async () => {
    const group = await organise({ may: ['remind'], latest_expires_at: null });
    for (const refused of [extend(tokenOf(group), at(5)), cancel(tokenOf(group))])
      await expect(refused).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect((await find(tokenOf(group))).group).toMatchObject({ state: 'open', version: 1 });
  });
});

describe('a cancellation by the organiser', () => {
  it('a cancellation releases every hold, names the organiser, and repeated it is answered as it is (Q85)', async () => {
    const { id } = await heldGroup(ledger, { except: 1, organiser: all });
    const { group } = await ledger.find({ ...scope, group_id: id });
    const cancelled = await cancel(tokenOf(group));
    expect(cancelled.group.state).toBe('cancelled');
    expect(cancelled.slots.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await listOrders(ledger, id, 'void')).toHaveLength(2);
    expect(await cancel(tokenOf(group))).toEqual(await find(tokenOf(group)));
    expect(await listOrders(ledger, id, 'void')).toHaveLength(2);
    expect(
      await ledger.rows(
        `select distinct actor from transitions where group_id = $1 and state_to = 'cancelled'`,
        [id],
      ),
    ).toEqual([{ actor: 'organiser' }]);
  });

  it('a cancellation is refused once the captures began (Q85)', async () => {
    const { id } = await heldGroup(ledger, { organiser: all });
    const { group } = await ledger.find({ ...scope, group_id: id });
    await expect(cancel(tokenOf(group))).rejects.toMatchObject({ code: 'group_not_payable' });
    expect(await listOrders(ledger, id, 'void')).toEqual([]);
  });
});
