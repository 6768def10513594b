import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import { migrate } from '@gp/pg';
import { eventually, ownPostgres, type OwnServer } from '@gp/testing';
import { authorised } from './gateway.ts';
import { settleAll, connection, createCommand, migrations, reserveRequest, scope } from './harness.ts';
import { findViolations } from './invariants.ts';
import { openOnTheBus } from './on-the-bus.ts';

let postgres: OwnServer;
let ledger: Awaited<ReturnType<typeof openOnTheBus>>;
beforeAll(async () => {
  postgres = await ownPostgres();
  const role = { schema: 'group_ledger', role: 'group_ledger', password: 'secret' };
  await migrate({ url: postgres.url, ...role, directories: [outboxMigrations, migrations] });
  const url = new URL(postgres.url);
  url.username = role.role;
  url.password = role.password;
  ledger = await openOnTheBus(url.href);
  await ledger.note(connection());
});
afterAll(async () => {
  await ledger?.close();
  await postgres?.stop();
});

/** A backend that is stalled may outlive its server and answer once more; when all connections are broken none is left. */
const isLeft = () => eventually(() => ledger.db.pool.totalCount === 0 || undefined);
const find = (group_id: string) => ledger.caller.call(contracts.findGroup, { ...scope, group_id });

it('every call fails at once while Postgres is away, and messages sent meanwhile are applied when it is back', async () => {
  const { group } = await ledger.create(createCommand());
  const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com'));
  const command = createCommand();
  const hold = authorised(reserved);
  await postgres.kill();
  await isLeft();

  const create = ledger.caller.coalesce(contracts.createGroup);
  const { codes } = await settleAll<unknown>([
    create(command),
    find(group.id),
    ledger.caller.call(contracts.reserveSlots, reserveRequest(group.id, 'b@example.com')),
    ledger.caller.call(contracts.recordOutcome, hold),
    ledger.caller.call(contracts.listGroups, { ...scope, limit: 1, offset: 0 }),
    ledger.caller.call(contracts.noteGateway, connection({ revision: 2 })),
  ]);
  expect(codes).toEqual(Array.from({ length: 6 }, () => 'service_unavailable'));
  const { outcomeRecorded } = contracts;
  await ledger.caller.publish({
    id: hold.message_id,
    subject: outcomeRecorded.subject,
    payload: hold,
    mode: 'test',
  });

  await postgres.up();
  await eventually(async () => ((await find(group.id)).group.state === 'capturing' ? true : undefined));
  expect((await create(command)).replayed).toBe(false);
  expect((await create(command)).replayed).toBe(true);
  expect(await findViolations(ledger.db.pool)).toEqual([]);
});

it('creates in flight when Postgres dies are made once, whichever process repeats them', async () => {
  const commands = Array.from({ length: 200 }, () => createCommand());
  const inHand = settleAll(commands.map((command) => ledger.create(command)));
  await postgres.kill();
  const { codes } = await inHand;
  expect(new Set([...codes, 'service_unavailable'])).toEqual(new Set(['service_unavailable']));
  await postgres.up();
  const again = await eventually(async () => {
    const { answers } = await settleAll(commands.map((command) => ledger.create(command)));
    return answers.length === commands.length ? answers : undefined;
  });
  expect(new Set(again.map((answer) => answer.group.id)).size).toBe(200);
  expect(await findViolations(ledger.db.pool)).toEqual([]);
});
