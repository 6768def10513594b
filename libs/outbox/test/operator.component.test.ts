import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { openBus, type Bus, type DeadMessage } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { unprepared } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { createOperator, eventually, playOperators } from '@gp/testing';
import { answerOperator, insertOutbox, raiseTask, recordDeadLetter } from '../src/index.ts';
import {
  freshSubject,
  buildMessage,
  openPostOffice,
  listUnsent,
  SCHEMA,
  type PostOffice,
} from './post-office.ts';

let office: PostOffice;
let operator: Bus;
let wakes = 0;
const context = 'scheduler';
const ann = createOperator('ann', 'act');

beforeAll(async () => {
  office = await openPostOffice();
  const bus = await openBus({ servers: office.nats.url, name: 'operator', operator: ann.signer });
  // The usual five seconds may be over on a busy machine.
  const call: Bus['call'] = (contract, request) => bus.call(contract, request, { timeoutMs: 60_000 });
  operator = { ...bus, call };
  await eventually(() => operator.isConnected() || undefined);
  playOperators(operator, ann);
  const serving = {
    serve: ((bus, contract, handler) => void bus.serve(contract, handler)) as Parameters<
      typeof answerOperator
    >[0]['serve'],
  };
  answerOperator(serving, office.bus, { context, db: office.db, wakeRelay: () => (wakes += 1) });
});
afterEach(() =>
  office.database.asOwner(SCHEMA, 'truncate outbox, dead_letters, operator_tasks, operator_actions'),
);
afterAll(async () => {
  await operator?.close();
  await office?.close();
});

const tasks = async (resolved = false) =>
  (await operator.call(contracts.listTasks(context), { resolved, limit: 50 })).tasks;
const actions = () =>
  office.db.query(
    unprepared('select actor, operator_key, action, subject from operator_actions order by id'),
  );
/** What the audit says of the operator. */
const by = { actor: 'ann', operator_key: ann.person.key };
const dead: DeadMessage = {
  id: buildMessage('', 0).id,
  subject: 'evt.trial.thing.told.v1.x',
  payload: { n: 7 },
  mode: 'test',
  deliveryCount: 10,
  consumer: 'trial',
  stream: 'EVENTS',
  reason: 'not_found',
};

it('an operator task that is opened twice is one task, is resolved once with a name and a note, and may reopen (Q66)', async () => {
  const matter = { key: 'void_unconfirmed:1', code: 'void_unconfirmed', mode: 'test' as const };
  await raiseTask(office.db, matter);
  await raiseTask(office.db, { ...matter, details: { hours: 2 } });
  expect(await tasks()).toMatchObject([{ ...matter, times: 2, details: { hours: 2 }, resolved_at: null }]);
  expect(await metrics.registry.getSingleMetricAsString('gp_operator_tasks_open')).toContain(
    'gp_operator_tasks_open{code="void_unconfirmed"} 1',
  );

  const resolution = { key: matter.key, note: 'seen to' };
  const resolved = await operator.call(contracts.resolveTask(context), resolution);
  expect(resolved).toMatchObject({ resolved_by: 'ann', resolution: 'seen to' });
  await expect(operator.call(contracts.resolveTask(context), resolution)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await tasks()).toEqual([]);
  expect(await tasks(true)).toHaveLength(1);
  expect(await actions()).toEqual([{ ...by, action: 'tasks.resolve', subject: matter.key }]);

  await raiseTask(office.db, matter);
  expect(await tasks()).toMatchObject([{ times: 3, resolved_by: null, resolution: null }]);
});

it('a dead letter is a task until it is replayed, and the replay names its operator (F2)', async () => {
  await recordDeadLetter(office.db, dead);
  const { letters } = await operator.call(contracts.listDeadLetters(context), { replayed: false, limit: 5 });
  expect(letters).toMatchObject([{ consumer: 'trial', reason: 'not_found', payload: '{"n":7}' }]);
  const id = letters[0]?.id ?? '';
  expect(await tasks()).toMatchObject([{ key: `dead_letter:${id}`, code: 'dead_letter', mode: 'test' }]);

  const wakesBefore = wakes;
  await operator.call(contracts.replayDeadLetter(context), { id });
  expect(wakes).toBe(wakesBefore + 1);
  expect(await listUnsent(office.db)).toEqual([7]);
  expect(await tasks()).toEqual([]);
  expect(await tasks(true)).toMatchObject([{ resolved_by: 'ann', resolution: 'replayed' }]);
  expect(await actions()).toEqual([{ ...by, action: 'dead-letters.replay', subject: id }]);
  const again = operator.call(contracts.replayDeadLetter(context), { id });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });

  await recordDeadLetter(office.db, dead);
  expect(await tasks()).toMatchObject([{ key: `dead_letter:${id}`, times: 2 }]);
});

it('a range of sent messages is published again, naming the operator; a range that ends before it begins is refused', async () => {
  const subject = freshSubject();
  await insertOutbox(office.db, [buildMessage(subject, 1), buildMessage(subject, 2)]);
  await office.db.query(unprepared('update outbox set sent_at = now()'));
  const range = { from: new Date(0).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  const republish = contracts.republishOutbox(context);
  expect(await operator.call(republish, range)).toEqual({ messages: 2 });
  const reversed = operator.call(republish, { from: range.to, to: range.from });
  await expect(reversed).rejects.toMatchObject({ code: 'validation_error' });
  expect(await actions()).toEqual([{ ...by, action: 'outbox.republish', subject: context }]);
});

it('neither a command without a signature nor one with the wrong key changes anything (Q67)', async () => {
  const matter = { key: 'void_unconfirmed:2', code: 'void_unconfirmed', mode: 'test' as const };
  await raiseTask(office.db, matter);
  const stranger = createOperator('ann');
  for (const signer of [undefined, stranger.signer]) {
    const bus = await openBus({ servers: office.nats.url, name: 'stranger', operator: signer });
    await eventually(() => bus.isConnected() || undefined);
    const resolving = bus.call(contracts.resolveTask(context), { key: matter.key, note: 'gone' });
    await expect(resolving).rejects.toMatchObject({ code: 'unauthorized' });
    const listing = bus.call(contracts.listTasks(context), { resolved: true, limit: 5 });
    await expect(listing).rejects.toMatchObject({ code: 'unauthorized' });
    await bus.close();
  }
  expect(await tasks()).toMatchObject([{ key: matter.key, resolved_by: null }]);
  expect(await actions()).toEqual([]);
});
