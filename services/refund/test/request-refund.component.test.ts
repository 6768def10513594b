import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findRefund,
  listDeadLetters,
  refundProgressed,
  replayDeadLetter,
  requestRefund,
  type RefundAnswer,
} from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import { eventually, runProgram } from '@gp/testing';
import { failPoints } from '../src/fail-points.ts';
import { refusal } from './support/gateways.ts';
import { digest, openPlatform, refundMain, buildRefund, scope, type Platform } from './support/platform.ts';

const UNKNOWN = ['outcome_unknown', 'outcome unknown, being verified'];
const UNAVAILABLE = [
  'refund_unavailable',
  "refunds through the API are unavailable for gateway_c: refund it in the gateway's own dashboard",
];

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(async () => {
  await platform?.close();
  await Promise.all(calls);
});

/** Calls of a process that has died. The bus decides how long a caller waits before it learns that. */
const calls: Promise<void>[] = [];

/** Asked only to see whether a process answers yet, and for letters. */
const page = { replayed: false, limit: 10 };
const refunded = (answer: RefundAnswer) => answer.refunded.map(({ intent_id }) => intent_id).toSorted();
const errors = (answer: RefundAnswer) =>
  answer.failed.map(({ intent_id, code, error }) => [intent_id, code, error]);
const stored = async (refundId: string) =>
  (
    await platform.rows<{ group_state: string; statuses: string[]; settled: boolean }>(
      `select group_state, settled_at is not null as settled,
              array(select p ->> 'status' from jsonb_array_elements(parts) p) as statuses
       from refunds where refund_id = $1`,
      [refundId],
    )
  )[0];

describe('a refund', () => {
  it('a refund of everything is sent to all gateways at once, and returned with every slot', async () => {
    const { id, intents, slots } = await platform.pay([
      { psp: 'gateway_a' },
      { psp: 'gateway_b', slots: 2 },
      { psp: 'gateway_b' },
    ]);
    const answer = await platform.refund(buildRefund(id));
    expect(refunded(answer)).toEqual(intents.toSorted());
    expect(answer.refunded.flatMap(({ slot_ids }) => slot_ids).toSorted()).toEqual(slots.toSorted());
    expect(answer).toMatchObject({ failed: [], group_state: 'refunded' });
    expect(await platform.readGroupState(id)).toBe('refunded');
  });

  it('a refund of one slot of several refunds the whole payment, and nothing else (E4)', async () => {
    const { id, intents, slots } = await platform.pay([{ psp: 'gateway_a', slots: 3 }, { psp: 'gateway_b' }]);
    const answer = await platform.refund(buildRefund(id, [slots[1]!]));
    expect(answer.refunded).toEqual([{ intent_id: intents[0], slot_ids: slots.slice(0, 3) }]);
    expect(answer.group_state).toBe('partially_refunded');
    expect(platform.gateways.listRefundOrders(intents[1]!)).toEqual([]);
  });

  it('a refund that a gateway refuses returns the reason, and may be requested again (E3)', async () => {
    const { id, intents } = await platform.pay([{ psp: 'gateway_a' }, { psp: 'gateway_b' }]);
    const [good, bad] = [intents[0]!, intents[1]!];
    platform.gateways.will(bad, 'failed');
    const mixed = await platform.refund(buildRefund(id));
    expect([refunded(mixed), errors(mixed)]).toEqual([[good], [[bad, refusal.code, refusal.message]]]);
    expect(mixed.group_state).toBe('partially_refunded');
    const none = await platform.refund(buildRefund(id));
    expect([refunded(none), errors(none)]).toEqual([[], [[bad, refusal.code, refusal.message]]]);
    expect(none.group_state).toBe('refund_failed');
    platform.gateways.will(bad, 'refunded');
    expect(await platform.refund(buildRefund(id))).toMatchObject({ failed: [], group_state: 'refunded' });
    expect(platform.gateways.listRefundOrders(bad).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('a refund of payments of gateway_c sends no order to that gateway, alone or beside others (E7)', async () => {
    const alone = await platform.pay([{ psp: 'gateway_c' }]);
    const answer = await platform.refund(buildRefund(alone.id));
    expect(errors(answer)).toEqual([[alone.intents[0], ...UNAVAILABLE]]);
    expect(answer).toMatchObject({ refunded: [], group_state: 'refund_failed' });
    const beside = await platform.pay([{ psp: 'gateway_c' }, { psp: 'gateway_a' }]);
    const mixed = await platform.refund(buildRefund(beside.id));
    expect([refunded(mixed), errors(mixed)]).toEqual([
      [beside.intents[1]],
      [[beside.intents[0], ...UNAVAILABLE]],
    ]);
    expect(mixed.group_state).toBe('partially_refunded');
    for (const intent of [alone.intents[0]!, beside.intents[0]!])
      expect(platform.gateways.listRefundOrders(intent)).toEqual([]);
  });

  it.each([
    ['silence', 'started'],
    ['unknown', 'unknown'],
  ] as const)(
    'a refund that meets %s returns without its outcome when the time is over, and finishes later (E5)',
    async (said, status) => {
      const { id, intents } = await platform.pay([{ psp: 'gateway_a' }, { psp: 'gateway_b' }]);
      const [good, slow] = [intents[0]!, intents[1]!];
      platform.gateways.will(slow, said);
      const request = buildRefund(id);
      const answer = await platform.refundAfter(request, ['refunded', status]);
      expect([refunded(answer), errors(answer)]).toEqual([[good], [[slow, ...UNKNOWN]]]);
      expect(answer.group_state).toBe('partially_refunded');
      expect(await platform.readGroupState(id)).toBe('refunding');
      expect((await stored(answer.refund_id))?.settled).toBe(false);
      await platform.gateways.ends(slow, 'refunded');
      expect(
        await eventually(async () => ((await stored(answer.refund_id))?.settled ? true : undefined)),
      ).toBe(true);
      expect(await stored(answer.refund_id)).toMatchObject({
        group_state: 'refunded',
        statuses: ['refunded', 'refunded'],
      });
      expect(await platform.refund(request)).toEqual(answer);
    },
  );

  it('a refund that no gateway answered counts as failed, although no gateway refused it (E5)', async () => {
    const { id, intents } = await platform.pay([{ psp: 'gateway_a' }]);
    platform.gateways.will(intents[0]!, 'unknown');
    const answer = await platform.refundAfter(buildRefund(id), ['unknown']);
    expect(errors(answer)).toEqual([[intents[0], ...UNKNOWN]]);
    expect(answer.group_state).toBe('refund_failed');
    await platform.gateways.ends(intents[0]!, 'failed');
    await eventually(async () =>
      (await platform.readGroupState(id)) === 'refund_failed' ? true : undefined,
    );
  });

  it('a refund that a gateway has not accepted yet is reported as such, and not as unknown', async () => {
    const { id, intents } = await platform.pay([{ psp: 'gateway_a' }]);
    platform.gateways.will(intents[0]!, 'retryable');
    const answer = await platform.refundAfter(buildRefund(id), ['waiting']);
    expect(errors(answer)).toEqual([
      [intents[0], 'outcome_unknown', 'not taken by the gateway yet, being tried again'],
    ]);
  });

  it('a refund returns as soon as the last gateway has replied, wherever it is waited for', async () => {
    const { id, intents } = await platform.pay([{ psp: 'gateway_a' }]);
    platform.gateways.will(intents[0]!, 'silence');
    const other = await platform.replica();
    const request = buildRefund(id);
    const answers = [platform.refund(request), other.refund(request), platform.refund(request)];
    await eventually(() => platform.gateways.listRefundOrders(intents[0]!).length > 0 || undefined);
    await platform.gateways.ends(intents[0]!, 'refunded');
    const [first, second, third] = await Promise.all(answers);
    expect(refunded(first!)).toEqual(intents);
    expect([second, third]).toEqual([first, first]);
    expect(platform.gateways.listRefundOrders(intents[0]!)).toHaveLength(1);
    await other.close();
  });
});

describe('a refusal of the ledger', () => {
  it('a refusal of the ledger passes through, and its command may be used again', async () => {
    const { id, slots, intents } = await platform.pay([{ psp: 'gateway_a' }, { psp: 'gateway_b' }]);
    await expect(platform.refund(buildRefund(randomUUID()))).rejects.toMatchObject({ code: 'not_found' });
    await expect(platform.refund(buildRefund(id, [randomUUID()]))).rejects.toMatchObject({
      code: 'invalid_slot_ids',
    });
    await platform.refund(buildRefund(id, [slots[0]!]));
    const early = buildRefund(id, [slots[0]!]);
    await expect(platform.refund(early)).rejects.toMatchObject({ code: 'nothing_to_refund' });
    const kept = 'select from requests where command_id = $1';
    expect(await platform.rows(kept, [Buffer.from(early.command_id, 'hex')])).toEqual([]);
    expect(refunded(await platform.refund(buildRefund(id, slots)))).toEqual([intents[1]]);
  });

  it('one of two refunds at once finds nothing left (E2)', async () => {
    const { id, intents } = await platform.pay([{ psp: 'gateway_a' }, { psp: 'gateway_b' }]);
    const settled = await Promise.allSettled([
      platform.refund(buildRefund(id)),
      platform.refund(buildRefund(id)),
    ]);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const intent of intents) expect(platform.gateways.listRefundOrders(intent)).toHaveLength(1);
  });

  it('a command has one input only', async () => {
    const { id, slots } = await platform.pay([{ psp: 'gateway_a' }]);
    const request = buildRefund(id);
    const answer = await platform.refund(request);
    const other = { ...request, slot_ids: slots, fingerprint: digest('other') };
    await expect(platform.refund(other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await platform.refund(request)).toEqual(answer);
  });
});

it('a dead letter waits until an operator sends it again (F2)', async () => {
  const { id } = await platform.pay([{ psp: 'gateway_a' }]);
  const { refund_id } = await platform.refund(buildRefund(id));
  const view = await platform.others.call(findRefund, { ...scope, group_id: id, refund_id });
  await platform.rows('delete from refunds where refund_id = $1', [refund_id]);
  const news = { id: randomUUID(), subject: `${refundProgressed.subject}.${id}`, mode: 'test' as const };
  await recordDeadLetter(platform.db, {
    ...news,
    payload: view,
    deliveryCount: 10,
    consumer: 'refund-progress',
    stream: 'EVENTS',
    reason: 'broken',
  });
  const { child, ended } = runProgram(refundMain, [], platform.env);
  const letters = await eventually(
    async () => (await platform.others.call(listDeadLetters('refund'), page)).letters,
  );
  const letter = letters.find(({ message_id }) => message_id === news.id);
  await platform.others.call(replayDeadLetter('refund'), { id: letter?.id ?? '' });
  expect(await eventually(() => stored(refund_id))).toMatchObject({ settled: true });
  child.kill('SIGTERM');
  await ended;
});

describe('a process that dies', () => {
  // How a refund goes on after its answer is kept by a consumer: the crash matrix kills that.
  const onTheWay = failPoints.filter((point) => !point.includes('progress'));

  it.each(onTheWay)(
    'a process that dies at %s leaves a refund that the same command finishes, once',
    async (point) => {
      const { id, intents } = await platform.pay([{ psp: 'gateway_a' }, { psp: 'gateway_b' }]);
      const request = buildRefund(id);
      // The only one that answers calls here: the platform's own refund is called directly.
      const { ended } = runProgram(refundMain, [], { ...platform.env, GP_FAIL_POINT: point });
      await eventually(() => platform.others.call(listDeadLetters('refund'), page));
      const told: unknown[] = [];
      const call = platform.others.call(requestRefund, request, { timeoutMs: 10_000 });
      calls.push(
        call.then(
          (answer) => void told.push(answer),
          () => undefined,
        ),
      );
      expect((await ended).signal).toBe('SIGKILL');
      const answer = await platform.refund(request);
      expect(refunded(answer)).toEqual(intents.toSorted());
      expect(await platform.refund(request)).toEqual(answer);
      for (const intent of intents) expect(platform.gateways.listRefundOrders(intent)).toHaveLength(1);
      expect(told).toEqual([]);
    },
  );
});
