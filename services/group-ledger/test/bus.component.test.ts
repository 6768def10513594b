import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { on } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { listDeadLetters, outboxMigrations } from '@gp/outbox';
import { eventually, testDatabase, type TestDatabase } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { authorised, answerTo } from './gateway.ts';
import { connection, createCommand, dueTimer, migrations, reserveRequest, scope } from './harness.ts';
import { findViolations } from './invariants.ts';
import { openOnTheBus } from './on-the-bus.ts';

let database: TestDatabase;
let ledger: Awaited<ReturnType<typeof openOnTheBus>>;
beforeAll(async () => {
  database = await testDatabase({
    schemas: [{ schema: 'group_ledger', directories: [outboxMigrations, migrations] }],
  });
  ledger = await openOnTheBus(database.url('group_ledger'));
  await ledger.caller.call(contracts.noteGateway, connection());
});
afterEach(async () => expect(await findViolations(ledger.db.pool)).toEqual([]));
afterAll(async () => {
  await ledger?.close();
  await database?.drop();
});

const publish = (subject: string, id: string, payload: unknown) =>
  ledger.caller.publish({ id, subject, payload, mode: 'test' });
const sendOutcome = (outcome: contracts.Outcome) =>
  publish(contracts.outcomeRecorded.subject, outcome.message_id, outcome);
const findGroupById = (group_id: string) => ledger.caller.call(contracts.findGroup, { ...scope, group_id });
const reaches = (group_id: string, state: string) =>
  eventually(async () => ((await findGroupById(group_id)).group.state === state ? true : undefined));

async function reservation() {
  const { group } = await ledger.create(
    createCommand({ distribution: { type: 'equally', number_of_slots: 1 } }),
  );
  return ledger.caller.call(contracts.reserveSlots, reserveRequest(group.id, 'a@example.com'));
}

it('creates that arrive together get their own replies', async () => {
  const create = ledger.caller.coalesce(contracts.createGroup);
  const commands = Array.from({ length: 100 }, () => createCommand());
  commands[7] = createCommand({ expires_at: new Date(0).toISOString() });
  commands[8] = createCommand({ metadata: { note: '\u0000' } });
  commands[9] = { ...createCommand(), currency: 'no currency' };
  const settled = await Promise.allSettled(commands.map((command) => create(command)));
  const failed = settled.flatMap((each, n) =>
    each.status === 'rejected' ? [[n, (each.reason as { code: string }).code]] : [],
  );
  expect(failed).toEqual([
    [7, 'validation_error'],
    [8, 'validation_error'],
    [9, 'validation_error'],
  ]);
});

it('a follower of a group receives each change with its version, and none of another group', async () => {
  const created: string[] = [];
  const listening = ledger.caller.listen(`${contracts.groupChanged.subject}.*`, ({ payload }) =>
    created.push((payload as { group_id: string }).group_id),
  );
  await ledger.caller.hasStreams();
  const { group } = await ledger.create(createCommand());
  const other = await ledger.create(createCommand());
  // The ledger publishes the notes of the creations on another connection. The follower subscribes after they have arrived.
  await eventually(() => [group.id, other.group.id].every((id) => created.includes(id)) || undefined);
  await listening.close();
  const told: unknown[] = [];
  const following = ledger.caller.listen(`${contracts.groupChanged.subject}.${group.id}`, ({ payload }) =>
    told.push(payload),
  );
  // The bus is one line: what it answers comes after what was said on it before.
  await findGroupById(group.id);
  await ledger.caller.call(contracts.reserveSlots, reserveRequest(other.group.id, 'b@example.com'));
  await ledger.caller.call(contracts.reserveSlots, reserveRequest(group.id, 'a@example.com'));
  const { version } = (await findGroupById(group.id)).group;
  await eventually(() => told.length > 0 || undefined);
  await following.close();
  expect(told).toEqual([{ ...scope, group_id: group.id, version }]);
  expect(version).toBeGreaterThan(group.version);
});

it('a follower of a group hears that a link of it was replaced, at each try and without a token (Q86)', async () => {
  const organiser = { may: ['cancel' as const], latest_expires_at: null };
  const { group } = await ledger.create(createCommand({ organiser }));
  const told: unknown[] = [];
  const following = ledger.caller.listen(`${contracts.groupChanged.subject}.${group.id}`, ({ payload }) => {
    if (typeof payload === 'object' && payload !== null && 'replaced_link' in payload) told.push(payload);
  });
  await findGroupById(group.id);
  const roll = { ...scope, group_id: group.id, actor: 'merchant', fingerprint: 'f'.repeat(64) };
  const ofOrganiser = { ...roll, command_id: 'd'.repeat(64) };
  for (const request of [ofOrganiser, ofOrganiser])
    await ledger.caller.call(contracts.rollOrganiserToken, request);
  await ledger.caller.call(contracts.rollPageToken, { ...roll, command_id: 'e'.repeat(64) });
  await eventually(() => told.length >= 3 || undefined);
  await following.close();
  expect(told).toEqual(
    ['organiser', 'organiser', 'page'].map((replaced_link) => ({
      ...scope,
      group_id: group.id,
      version: group.version,
      replaced_link,
    })),
  );
});

it('a listener to all groups hears of a new one once, with its merchant and mode, also when the create is repeated', async () => {
  const told: { group_id: string }[] = [];
  const listening = ledger.caller.listen(`${contracts.groupChanged.subject}.*`, ({ payload }) =>
    told.push(payload as { group_id: string }),
  );
  await ledger.caller.hasStreams();
  const create = ledger.caller.coalesce(contracts.createGroup);
  const command = createCommand();
  const { group } = await create(command);
  expect((await create(command)).replayed).toBe(true);
  const { group: next } = await create(createCommand());
  await eventually(() => told.some(({ group_id }) => group_id === next.id) || undefined);
  await listening.close();
  const own = told.filter(({ group_id }) => [group.id, next.id].includes(group_id));
  expect(own).toEqual([group, next].map(({ id, version }) => ({ ...scope, group_id: id, version })));
});

it('a payment completes over the bus, and every event arrives once and in order', async () => {
  const received: contracts.HeardEvent[] = [];
  const options = { maxInFlight: 1, onDead: async () => undefined };
  const listener = ledger.caller.consume(
    on(contracts.publicEvents, { durable: `test-${uuidv7()}`, ...options }, async (event) =>
      received.push(event),
    ),
  );
  const orders: contracts.GatewayOperation[] = [];
  const captures = contracts.gatewayOperation('gateway_a', 'capture');
  const adapter = ledger.caller.consume(
    on(captures, { durable: 'gateway_a-orders', ...options }, async (order) => orders.push(order)),
  );
  const reserved = await reservation();
  const hold = authorised(reserved);
  // Its two ways at once: whichever comes second changes nothing.
  const [verdict] = await Promise.all([ledger.caller.call(contracts.recordOutcome, hold), sendOutcome(hold)]);
  expect(verdict.intent.state).not.toBe('created');
  const order = await eventually(() => orders.find((each) => each.intent_id === reserved.intent.id));
  await sendOutcome(answerTo(order, 'gateway_a', 'captured'));
  await reaches(reserved.intent.group_id, 'paid');
  const own = await eventually(() => {
    const events = received.filter((event) => event.group_id === reserved.intent.group_id);
    return events.length >= 3 ? events : undefined;
  });
  expect(own.map((event) => [event.sequence, event.type])).toEqual([
    [1, 'payment_intent.preauthorised'],
    [2, 'payment_intent.captured'],
    [3, 'group_payment.paid'],
  ]);
  await Promise.all([listener.close(), adapter.close()]);
});

describe('messages', () => {
  it('a message of a due timer expires its group once, however often it arrives', async () => {
    const { intent } = await reservation();
    await ledger.db.pool.query(`update groups set expires_at = now() - interval '1 s' where id = $1`, [
      intent.group_id,
    ]);
    const [timer, id] = dueTimer('group_expiry', intent.group_id);
    await Promise.all([
      publish(contracts.fireTimer('ledger').subject, id, timer),
      publish(contracts.fireTimer('ledger').subject, uuidv7(), timer),
    ]);
    await reaches(intent.group_id, 'expired');
  });

  it('a message that a gateway is connected again starts the captures that waited for it (B11)', async () => {
    const reserved = await reservation();
    const news = (revision: number, active: boolean) =>
      connection({ revision, active, revoked_at: active ? null : '2026-01-01T00:00:00.000Z' });
    await ledger.caller.call(contracts.noteGateway, news(2, false));
    await ledger.caller.call(contracts.recordOutcome, authorised(reserved));
    expect((await findGroupById(reserved.intent.group_id)).group.state).toBe('preauthorised');
    await publish(`${contracts.gatewayChanged.subject}.m1`, uuidv7(), news(3, true));
    await reaches(reserved.intent.group_id, 'capturing');
  });

  it('a message that can never be applied becomes a dead letter and delays no other', async () => {
    const reserved = await reservation();
    const poison = authorised(reserved, { attempt_id: uuidv7() });
    const foreign = authorised(reserved, { psp_code: 'gateway_b' });
    await sendOutcome(poison);
    await sendOutcome(foreign);
    await sendOutcome(authorised(reserved));
    await reaches(reserved.intent.group_id, 'capturing');
    const letters = await eventually(async () => {
      const found = await listDeadLetters(ledger.db);
      return found.length >= 2 ? found : undefined;
    });
    expect(Object.fromEntries(letters.map((letter) => [letter.messageId, letter.reason]))).toEqual({
      [poison.message_id]: 'not_found',
      [foreign.message_id]: 'validation_error',
    });
  });
});

it('the page of a group is found by its token, the list by its merchant, over the bus', async () => {
  const reserved = await reservation();
  const shown = await findGroupById(reserved.intent.group_id);
  const { page_token } = shown.group;
  expect(await ledger.caller.call(contracts.findGroupByPageToken, { page_token })).toEqual(shown);
  const { groups } = await ledger.caller.call(contracts.listGroups, { ...scope, limit: 1, offset: 0 });
  expect(groups).toEqual([shown.group]);
  const cancelled = await ledger.caller.call(contracts.cancelGroup, {
    ...scope,
    group_id: shown.group.id,
    actor: 'operator',
    command_id: 'c'.repeat(64),
    fingerprint: 'c'.repeat(64),
  });
  expect(cancelled.group.state).toBe('cancelled');
});
