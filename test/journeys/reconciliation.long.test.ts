import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import { eventually, TimeoutError } from '@gp/testing';
import { sendUntilAnswered, type Group, type MerchantApi, type Pay } from '../support/api.ts';
import { openApi, booksShow, newGroup, payer, paySlot } from '../support/journey.ts';
import { operator } from '../support/operator.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { findMerchant } from '../support/stack.ts';

/** The gateways whose interface refunds. */
const GATEWAYS = pspCodes.filter((code) => findManifest(code).ledger.isRefundable);
/** Whether the books of a gateway show disputes; a `server_confirm` gateway reports them by callback only. */
const hasDisputesInBooks = (code: PspCode) => findManifest(code).flow !== 'server_confirm';
type Task = { code: string; intent_id: string | null; service: string; key: string };
type Run = { id: string; state: string; payments: number; agreed: number; repaired: number; raised: number };
type Sums = Record<string, { expected: object; actual: object }>;
type Report = { run: Run & { pending: number; unanswered: number; sums: Sums } };

let own: OwnStack;
beforeAll(async () => {
  own = await openOwnStack({ GP_SET_RECONCILE_SETTLE_MS: '2000' });
});
afterAll(() => own?.close());

const control = (method: string, path: string, body?: object) =>
  sendUntilAnswered(method, `${own.stack.sandbox}/control/${path}`, body);

/** The merchant acts in the gateway's own dashboard, and no callback of it ever comes. */
async function actUnheard(gateway: PspCode, pay: Pay, action: string, status: string): Promise<void> {
  await control('POST', 'faults', { gateway, operation: 'callback', fault: 'lose', times: 20 });
  const { psp_reference } = await booksShow(
    own.stack,
    pay,
    action === 'refund' || action === 'dispute' ? 'captured' : 'authorised',
  );
  await control('POST', `payments/${psp_reference}/external`, { action });
  await booksShow(own.stack, pay, status);
}

const findIntent = async (groupId: string, pay: Pay) => {
  const shown = await operator<{ intents: { id: string; state: string; disputed: boolean }[] }>(
    own.stack,
    ...['group', 'show', '--group', groupId],
  );
  return shown.intents.find(({ id }) => id === pay.payment_intent_id);
};

const tasksAbout = async (pay: Pay) => {
  const { tasks } = await operator<{ tasks: Task[] }>(own.stack, 'tasks', 'list', '--service', 'ledger');
  return tasks.filter(({ intent_id }) => intent_id === pay.payment_intent_id).map(({ code }) => code);
};

/** Has the account's books compared and returns the report once it is final. */
async function reconciled(gateway: PspCode): Promise<Report['run']> {
  const { merchant_id } = findMerchant(own.stack, gateway);
  const args = ['--merchant', merchant_id, '--mode', 'test', '--psp', gateway];
  const { id } = await operator<Run>(own.stack, 'reconcile', 'run', ...args);
  for (const giveUpAt = Date.now() + 90_000; ; await delay(500)) {
    const { run } = await operator<Report>(own.stack, 'reconcile', 'report', '--run', id);
    if (run.state === 'done') return run;
    if (Date.now() > giveUpAt) throw new TimeoutError(`the run is ${run.state}`);
  }
}

describe.each(GATEWAYS)('on %s, whose callbacks are lost', (gateway) => {
  let api: MerchantApi;
  /** External operations there: by group and payment. */
  const happened = {} as Record<'captured' | 'refunded' | 'voided' | 'disputed', { group: Group; pay: Pay }>;

  async function paid(name: string): Promise<{ group: Group; pay: Pay }> {
    const group = await newGroup(api, 2);
    const pay = await paySlot(own.stack, api, group, 0, payer(`${name}-a`));
    await paySlot(own.stack, api, group, 1, payer(`${name}-b`));
    await api.becomes(group.group_payment.id, ['paid']);
    return { group, pay };
  }
  async function held(name: string): Promise<{ group: Group; pay: Pay }> {
    const group = await newGroup(api, 2);
    const pay = await paySlot(own.stack, api, group, 0, payer(name));
    await api.becomes(group.group_payment.id, ['partially_preauthorised']);
    return { group, pay };
  }

  beforeAll(async () => {
    api = openApi(own.stack, findMerchant(own.stack, gateway));
    Object.assign(happened, {
      captured: await held('captured'),
      voided: await held('voided'),
      refunded: await paid('refunded'),
      disputed: await paid('disputed'),
    });
    const { captured, voided, refunded, disputed } = happened;
    await actUnheard(gateway, captured.pay, 'capture', 'captured');
    await actUnheard(gateway, voided.pay, 'void', 'voided');
    await actUnheard(gateway, refunded.pay, 'refund', 'refunded');
    if (hasDisputesInBooks(gateway)) await actUnheard(gateway, disputed.pay, 'dispute', 'captured');
    await control('DELETE', 'faults');
  });

  it('the comparison repairs outcomes whose callbacks were lost, and a second comparison finds nothing', async () => {
    const first = await reconciled(gateway);
    expect(first).toMatchObject({
      payments: 6,
      unanswered: 0,
      pending: 0,
      raised: 0,
      repaired: 3,
      agreed: 3,
    });
    const second = await reconciled(gateway);
    expect(second).toMatchObject({ payments: 6, agreed: 6, repaired: 0, raised: 0 });
    const { EUR } = second.sums;
    expect(EUR?.expected).toEqual({ held_minor: '0', captured_minor: '5000', refunded_minor: '1000' });
    expect(EUR?.actual).toEqual(EUR?.expected);
  });

  it('a capture made at the gateway is recorded and opens an operator task, and the group can still be completed (C6)', async () => {
    const { group, pay } = happened.captured;
    const { id } = group.group_payment;
    expect(await findIntent(id, pay)).toMatchObject({ state: 'captured' });
    expect(await tasksAbout(pay)).toEqual(['captured_outside']);
    await paySlot(own.stack, api, group, 1, payer('late'));
    await api.becomes(id, ['paid']);
    await booksShow(own.stack, pay, 'captured');
  });

  it('a release made at the gateway frees the slots again (C4, C6)', async () => {
    const { group, pay } = happened.voided;
    const { id } = group.group_payment;
    expect(await findIntent(id, pay)).toMatchObject({ state: 'failed' });
    const now = await api.findGroup(id);
    expect(now.group_payment.state).toBe('open');
    expect(now.payment_slots.map(({ state }) => state)).toEqual(['unassigned', 'unassigned']);
  });

  it('a refund made at the gateway is recorded and opens an operator task (E8)', async () => {
    const { group, pay } = happened.refunded;
    const { id } = group.group_payment;
    expect(await findIntent(id, pay)).toMatchObject({ state: 'refunded' });
    expect((await api.findGroup(id)).group_payment.state).toBe('partially_refunded');
    expect(await tasksAbout(pay)).toEqual(['refunded_outside']);
  });

  const whatDisputes = hasDisputesInBooks(gateway) ? 'is flagged' : 'cannot be seen in these books';
  it(`a dispute without a callback ${whatDisputes} (E9)`, async () => {
    const { group, pay } = happened.disputed;
    const isSeen = hasDisputesInBooks(gateway);
    expect(await findIntent(group.group_payment.id, pay)).toMatchObject({
      state: 'captured',
      disputed: isSeen,
    });
    expect(await tasksAbout(pay)).toEqual(isSeen ? ['disputed'] : []);
  });
});

it('an operator queries one payment at once, and ends a task with a note', async () => {
  const api = openApi(own.stack, findMerchant(own.stack, 'gateway_a'));
  const group = await newGroup(api, 2);
  const { id } = group.group_payment;
  const pay = await paySlot(own.stack, api, group, 0, payer('asked'));
  await api.becomes(id, ['partially_preauthorised']);
  await actUnheard('gateway_a', pay, 'capture', 'captured');
  await control('DELETE', 'faults');
  await operator(own.stack, 'payments', 'ask', '--intent', pay.payment_intent_id);
  for (
    const giveUpAt = Date.now() + 30_000;
    (await findIntent(id, pay))?.state !== 'captured';
    await delay(200)
  )
    if (Date.now() > giveUpAt) throw new TimeoutError('the capture was not found out');
  expect(await tasksAbout(pay)).toEqual(['captured_outside']);
  const task = `captured_outside:${pay.payment_intent_id}`;
  const word = ['--note', 'the merchant knows'];
  await operator(own.stack, 'tasks', 'resolve', '--service', 'ledger', '--task', task, ...word);
  expect(await tasksAbout(pay)).toEqual([]);
});

it('a group is cancelled by an operator, whose name stays with it (Q2)', async () => {
  const api = openApi(own.stack, findMerchant(own.stack, 'gateway_a'));
  const group = await newGroup(api, 2);
  const { id } = group.group_payment;
  const pay = await paySlot(own.stack, api, group, 0, payer('cancelled'));
  await api.becomes(id, ['partially_preauthorised']);
  const cancelled = await operator(own.stack, 'group', 'cancel', '--group', id);
  expect(cancelled).toEqual({ group_id: id, group_state: 'cancelled' });
  await booksShow(own.stack, pay, 'voided');
  const { transitions } = await operator<{ transitions: { actor: string; state_to: string }[] }>(
    own.stack,
    ...['group', 'show', '--group', id],
  );
  const last = transitions.find(({ state_to }) => state_to === 'cancelled');
  expect(last?.actor).toBe('operator:local');
});

it('no service has a dead letter, all answer, and every promise of the ledger holds', async () => {
  const isOurs = (service: string) => Object.keys(own.stack.services).includes(service);
  // A service that was too busy to answer in time is queried again.
  const letters = await eventually(async () => {
    const found = await operator<{ letters: unknown[]; unanswered: string[] }>(
      own.stack,
      'dead-letters',
      'list',
    );
    return found.unanswered.some(isOurs) ? undefined : found.letters;
  });
  expect(letters).toEqual([]);
  expect(await brokenPromises(own.stack)).toEqual([]);
});
