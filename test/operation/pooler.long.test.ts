import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { services } from '@gp/stack';
import { eventually, findTool, ownPostgres, type OwnServer } from '@gp/testing';
import type { Pay } from '../support/api.ts';
import { booksShow, effects, newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { askDatabase } from '../support/ledger.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { openPooler, type Pooler } from '../support/pooler.ts';
import { brokenPromises } from '../support/promises.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { findMerchant } from '../support/stack.ts';

/** Fewer than the four that a process uses at once, so that its transactions take turns in them. */
const CONNECTIONS = 2;
const BILLS = 8;
const START_MS = 180_000;

type Bill = { readonly id: string; readonly pays: readonly Pay[] };

const program = findTool('pgbouncer', 'the platform behind a pooler in transaction mode');

let postgres: OwnServer;
let pooler: Pooler;
let own: OwnStack;
let receiver: Receiver;

if (program === undefined)
  it('PgBouncer cannot be had here, so that no pooler is tried', () => {
    expect(program).toBeUndefined();
  });
else describe('every service works through a pooler in transaction mode', () => testPooler(program));

function testPooler(path: string): void {
  beforeAll(async () => {
    postgres = await ownPostgres();
    pooler = await openPooler(path, postgres.url, CONNECTIONS);
    own = await openOwnStack({ DATABASE_URL: postgres.url, DATABASE_POOLER_URL: pooler.url });
    receiver = await openReceiver();
  }, START_MS);
  afterAll(async () => {
    await receiver?.close();
    await own?.close();
    await pooler?.close();
    await postgres?.stop();
  }, START_MS);

  const api = () => openApi(own.stack, findMerchant(own.stack, 'gateway_a'));

  /** Takes both shares of so many bills at once, and disturbs that. */
  async function payBills(
    count: number,
    disturb: () => Promise<void> = async () => undefined,
  ): Promise<Bill[]> {
    const groups = await Promise.all(Array.from({ length: count }, () => newGroup(api(), 2)));
    const bills = groups.map(async (group, bill) => {
      const shares = [0, 1].map((slot) => paySlot(own.stack, api(), group, slot, payer(`p${bill}-${slot}`)));
      return { id: group.group_payment.id, pays: await Promise.all(shares) };
    });
    await disturb();
    return Promise.all(bills);
  }

  /** Waits until each bill is paid and told once, and its payments are captured once in the gateway's books. */
  async function expectPaidOnce(bills: readonly Bill[]): Promise<void> {
    for (const { id, pays } of bills) {
      await api().becomes(id, ['paid'], 90_000);
      await eventually(() => told(id).length > 0 || undefined);
      expect(told(id)).toHaveLength(1);
      for (const pay of pays) {
        const booked = await booksShow(own.stack, pay, 'captured');
        expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
      }
    }
    expect(receiver.refused).toEqual([]);
  }

  const told = (id: string) =>
    receiver.events.filter(
      ({ type, data }) => type === 'group_payment.paid' && data['group_payment_id'] === id,
    );

  it(`bills are paid and told while all processes of a service share ${CONNECTIONS} connections`, async () => {
    receiver.trust((await api().createWebhook(receiver.url)).secret);
    await expectPaidOnce(await payBills(BILLS));
    const lent = Map.groupBy(await pooler.listConnections(), ({ user }) => user);
    for (const [user, connections] of lent)
      expect([user, connections.length <= CONNECTIONS]).toEqual([user, true]);
    const pooled = services.filter(({ database }) => database === 'postgres').map(({ schema }) => schema);
    expect([...lent.keys()].filter((user) => pooled.includes(user)).sort()).toEqual(pooled.toSorted());
  }, 240_000);

  it('the lock of each relay is held in a session of its own, past the pooler', async () => {
    const lent = new Set((await pooler.listConnections()).map(({ remote_pid }) => remote_pid));
    const sql = `select distinct pid, usename from pg_locks join pg_stat_activity using (pid)
                 where locktype = 'advisory' and granted and usename <> 'postgres'`;
    const leaders = await askDatabase<{ pid: number; usename: string }>(own.stack, 'public', sql);
    expect(leaders.map(({ usename }) => usename)).toContain('group_ledger');
    expect(leaders.filter(({ pid }) => lent.has(pid))).toEqual([]);
  });

  it('bills are paid once each although the pooler is killed meanwhile', async () => {
    await expectPaidOnce(await payBills(BILLS, () => pooler.restart()));
    expect(await brokenPromises(own.stack)).toEqual([]);
  }, 240_000);
}
