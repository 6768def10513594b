import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, openOperatorSigner, type Bus, type OperatorSigner } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { outboxMigrations } from '@gp/outbox';
import { createOperator, eventually, testDatabase, type TestDatabase, type TestOperator } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { createCommand, connection, migrations } from './harness.ts';
import { openOnTheBus } from './on-the-bus.ts';

const root = createOperator('root');
const MINUTE_MS = 60_000;
let database: TestDatabase;
let ledger: Awaited<ReturnType<typeof openOnTheBus>>;
const open: Bus[] = [];

beforeAll(async () => {
  database = await testDatabase({
    schemas: [{ schema: 'group_ledger', directories: [outboxMigrations, migrations] }],
  });
  ledger = await openOnTheBus(database.url('group_ledger'), { firstOperator: root.person });
  await ledger.caller.call(contracts.noteGateway, connection());
});
afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()));
  await ledger?.close();
  await database?.drop();
});

/** A bus on which a person signs, or nobody. */
async function openAs(operator?: OperatorSigner): Promise<Bus> {
  const bus = await openBus({ servers: ledger.nats.url, name: 'operator', operator });
  open.push(bus);
  await eventually(() => bus.isConnected() || undefined);
  return bus;
}
const asRoot = () => openAs(root.signer);

/** Registers a person with a key of this role. */
async function enrol(role: contracts.OperatorRole, o: { expires_at?: string } = {}): Promise<TestOperator> {
  const operator = createOperator('ben', role);
  const { key, name } = operator.person;
  await (await asRoot()).call(contracts.addOperatorKey, { key, name, role, expires_at: null, ...o });
  return operator;
}

const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await ledger.db.pool.query<T>(sql, values)).rows;
const newGroup = async () => (await ledger.create(createCommand())).group.id;
const readState = async (id: string) =>
  (await rows<{ state: string }>('select state from groups where id = $1', [id]))[0]?.state;
const cancel = (bus: Bus, group_id: string) => bus.call(contracts.cancelGroupAsOperator, { group_id });
const listKeys = (bus: Bus) => bus.call(contracts.listOperatorKeys, {});

/** Gives a command that has to be refused, and returns the refusal; the group stays as it was. */
async function refusalOf(signer: OperatorSigner | undefined): Promise<{ code: string; message: string }> {
  const id = await newGroup();
  const refusal = await cancel(await openAs(signer), id).then(
    () => Promise.reject(new Error('it was carried out')),
    (error: unknown) => error as { code: string; message: string },
  );
  expect(await readState(id)).toBe('open');
  expect(await rows('select 1 from operator_actions where subject = $1', [id])).toEqual([]);
  return { code: refusal.code, message: refusal.message };
}

describe('a registered key', () => {
  it('a registered person acts, and the audit has the name and the key whose signature was verified (Q66)', async () => {
    const ben = await enrol('act');
    const id = await newGroup();
    expect(await cancel(await openAs(ben.signer), id)).toEqual({ group_id: id, group_state: 'cancelled' });
    expect(
      await rows('select actor, operator_key, action from operator_actions where subject = $1', [id]),
    ).toEqual([{ actor: 'ben', operator_key: ben.person.key, action: 'group.cancel' }]);
    const actors = await rows<{ actor: string }>(
      `select actor from transitions where group_id = $1 and state_to = 'cancelled'`,
      [id],
    );
    expect(actors).toContainEqual({ actor: 'operator:ben' });
  });

  it('a key is revoked at once: the command after the answer is refused, and a repeat changes nothing (Q69)', async () => {
    const ben = await enrol('act');
    const bus = await openAs(ben.signer);
    await cancel(bus, await newGroup());
    const { key } = ben.person;
    const revoke = async () => (await asRoot()).call(contracts.revokeOperatorKey, { key });
    const revoked = await revoke();
    expect(revoked).toMatchObject({ key, state: 'revoked', revoked_by: 'root' });
    expect(await refusalOf(ben.signer)).toEqual({
      code: 'unauthorized',
      message: `the key of ben was revoked at ${String(revoked.revoked_at)}`,
    });
    expect(await revoke()).toEqual(revoked);
    const again = (await asRoot()).call(contracts.addOperatorKey, { ...ben.person, expires_at: null });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a key is added, listed and revoked by administrators only, each act with their own key in the audit (Q69)', async () => {
    const ben = await enrol('act');
    const bus = await openAs(ben.signer);
    const { person } = createOperator('eve');
    const refused = {
      code: 'insufficient_scope',
      message: 'the key of ben has the role act, and this command needs admin',
    };
    await expect(bus.call(contracts.addOperatorKey, { ...person, expires_at: null })).rejects.toMatchObject(
      refused,
    );
    const revoking = bus.call(contracts.revokeOperatorKey, { key: root.person.key });
    await expect(revoking).rejects.toMatchObject(refused);
    const { keys } = await listKeys(bus);
    expect(keys.find(({ key }) => key === ben.person.key)).toMatchObject({
      name: 'ben',
      role: 'act',
      state: 'valid',
      added_by: 'root',
    });
    expect(keys.find(({ key }) => key === person.key)).toBeUndefined();
    const acts = await rows('select actor, operator_key, action from operator_actions where subject = $1', [
      ben.person.key,
    ]);
    expect(acts).toEqual([{ actor: 'root', operator_key: root.person.key, action: 'keys.add' }]);
  });

  it('a mistyped key, an expiry in the past, and the revocation of an unknown key are refused (Q69)', async () => {
    const bus = await asRoot();
    const { person } = createOperator('eve');
    const mistyped = `O${'A'.repeat(55)}`;
    const past = new Date(Date.now() - MINUTE_MS).toISOString();
    for (const wrong of [{ key: mistyped }, { expires_at: past }])
      await expect(
        bus.call(contracts.addOperatorKey, { ...person, expires_at: null, ...wrong }),
      ).rejects.toMatchObject({ code: 'validation_error' });
    await expect(bus.call(contracts.revokeOperatorKey, { key: person.key })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a refused command', () => {
  it('a command without a signature is refused, and has no effect (Q67)', async () => {
    expect(await refusalOf(undefined)).toEqual({
      code: 'unauthorized',
      message: 'this command needs the key of an operator',
    });
  });

  it('a command of an unregistered key is refused with a message that names the key, whatever name the person gives (Q67)', async () => {
    const { signer } = createOperator('root');
    await listKeys(await asRoot());
    expect(await refusalOf(signer)).toEqual({
      code: 'unauthorized',
      message: `the key ${signer.key} is not registered: an administrator adds it with "keys add"`,
    });
  });

  it('a key gives commands until it expires, and is refused afterwards (Q67)', async () => {
    const expires_at = new Date(Date.now() + 60 * MINUTE_MS).toISOString();
    const { person, signer } = await enrol('act', { expires_at });
    await cancel(await openAs(signer), await newGroup());
    const [row] = await rows<{ expires_at: Date }>(
      `update operator_keys set added_at = added_at - interval '2 hours', expires_at = expires_at - interval '2 hours'
       where key = $1 returning expires_at`,
      [person.key],
    );
    expect(await refusalOf(signer)).toEqual({
      code: 'unauthorized',
      message: `the key of ben expired at ${String(row?.expires_at.toISOString())}`,
    });
  });

  it('a key with the role that reads may read, and is refused a command that changes something (Q67)', async () => {
    const ben = await enrol('read');
    expect(await refusalOf(ben.signer)).toEqual({
      code: 'insufficient_scope',
      message: 'the key of ben has the role read, and this command needs act',
    });
    const group_id = await newGroup();
    const whole = await (await openAs(ben.signer)).call(contracts.inspectGroup, { group_id });
    expect(whole.group.id).toBe(group_id);
  });

  it('a command from a machine whose clock is wrong is refused with the difference between the clocks (Q68)', async () => {
    const { seed } = await enrol('act');
    const at = (awayMs: number) => openOperatorSigner(seed, () => Date.now() + awayMs);
    expect(await refusalOf(at(10 * MINUTE_MS))).toEqual({
      code: 'unauthorized',
      message: expect.stringContaining('signed 10 minutes ahead of the platform’s clock'),
    });
    expect((await refusalOf(at(-90 * MINUTE_MS))).message).toContain('signed 90 minutes behind');
    await cancel(await openAs(at(4 * MINUTE_MS)), await newGroup());
  });
});

describe('a signature', () => {
  /** Sends an earlier request's proof again, as a reader of the bus could. */
  const repeating = (signer: OperatorSigner, proof: string): OperatorSigner => ({
    key: signer.key,
    sign: () => proof,
  });
  const { subject } = contracts.cancelGroupAsOperator;

  it('a signed command is carried out once, by whichever replica: a copy of it is refused (Q68)', async () => {
    const { signer } = await enrol('act');
    const group_id = await newGroup();
    const bus = await openAs(repeating(signer, signer.sign(subject, JSON.stringify({ group_id }))));
    await cancel(bus, group_id);
    await expect(cancel(bus, group_id)).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'this command of ben was received before: give it again',
    });
    expect(await rows('select 1 as n from operator_actions where subject = $1', [group_id])).toEqual([
      { n: 1 },
    ]);
  });

  it('copies of a command that arrive together have one effect (Q68)', async () => {
    const { signer } = await enrol('act');
    const group_id = await newGroup();
    const proof = signer.sign(subject, JSON.stringify({ group_id }));
    const buses = await Promise.all([1, 2, 3, 4].map(() => openAs(repeating(signer, proof))));
    const settled = await Promise.allSettled(buses.map((bus) => cancel(bus, group_id)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('a signature is refused for another command and for another content (Q68)', async () => {
    const { signer } = await enrol('act');
    const [mine, other] = [await newGroup(), await newGroup()];
    const message = 'the signature does not fit the command';
    const bus = await openAs(repeating(signer, signer.sign(subject, JSON.stringify({ group_id: mine }))));
    await expect(cancel(bus, other)).rejects.toMatchObject({ code: 'unauthorized', message });
    const elsewhere = bus.call(contracts.retryCaptures, { group_id: mine });
    await expect(elsewhere).rejects.toMatchObject({ code: 'unauthorized', message });
    expect([await readState(mine), await readState(other)]).toEqual(['open', 'open']);
  });

  it.each(['', 'v1', 'v2 x', `v1 ${root.person.key} 1 x y`, 'x'.repeat(600)])(
    'the text %j in place of a signature is refused',
    async (text) => {
      expect(await refusalOf(repeating(root.signer, text))).toMatchObject({ code: 'unauthorized' });
    },
  );

  it('used proofs are kept for an hour, which is longer than a proof is valid (Q68)', async () => {
    const { signer } = await enrol('act');
    const age = (interval: string) =>
      rows(`update operator_proofs set spent_at = spent_at - $1::interval where operator_key = $2`, [
        interval,
        signer.key,
      ]);
    const count = async () =>
      (
        await rows<{ n: number }>('select count(*)::int as n from operator_proofs where operator_key = $1', [
          signer.key,
        ])
      )[0]?.n;
    const bus = await openAs(signer);
    await listKeys(bus);
    await age('59 minutes');
    await listKeys(bus);
    expect(await count()).toBe(2);
    await age('2 minutes');
    await listKeys(bus);
    expect(await count()).toBe(2);
  });
});

describe('the first administrator', () => {
  it('the first administrator’s key is registered with its first command, and the audit has that command (Q70)', async () => {
    await listKeys(await asRoot());
    const { key } = root.person;
    const acts = await rows('select actor, action from operator_actions where subject = $1', [key]);
    expect(acts).toEqual([{ actor: 'root', action: 'keys.add-first' }]);
  });

  it('another first administrator’s key is registered only while no administrator has a valid key, and a revoked key never again (Q70)', async () => {
    const next = createOperator('next');
    const other = await openOnTheBus(database.url('group_ledger'), { firstOperator: next.person });
    const bus = await openBus({ servers: other.nats.url, name: 'operator', operator: next.signer });
    await eventually(() => bus.isConnected() || undefined);
    await listKeys(await asRoot());
    await expect(listKeys(bus)).rejects.toMatchObject({ code: 'unauthorized' });
    const { key } = root.person;
    await (await asRoot()).call(contracts.revokeOperatorKey, { key });
    const { keys } = await listKeys(bus);
    expect(keys.find((each) => each.key === next.person.key)).toMatchObject({
      role: 'admin',
      added_by: null,
    });
    await bus.call(contracts.revokeOperatorKey, { key: next.person.key });
    expect((await refusalOf(createOperator('ben').signer)).message).toMatch(
      /: no administrator has a valid key, so the setting FIRST_OPERATOR of the ledger has to name one$/,
    );
    expect((await refusalOf(root.signer)).message).toMatch(/^the key of root was revoked/);
    await expect(listKeys(bus)).rejects.toMatchObject({ code: 'unauthorized' });
    await bus.close();
    await other.close();
  });
});

it('a program with rights of its own learns who gives its command, and the ledger records what is about to happen (Q66)', async () => {
  const { person, signer } = createOperator('carl', 'read');
  await rows(`insert into operator_keys (key, name, role) values ($1, $2, $3)`, [
    person.key,
    person.name,
    person.role,
  ]);
  const bus = await openAs(signer);
  const subject = uuidv7();
  const identify = (needs: contracts.OperatorRole) =>
    bus.call(contracts.identifyOperator, { needs, action: 'merchants keys', subject });
  expect(await identify('read')).toEqual(person);
  await expect(identify('act')).rejects.toMatchObject({ code: 'insufficient_scope' });
  expect(await rows('select 1 from operator_actions where subject = $1', [subject])).toEqual([]);
  await rows(`update operator_keys set role = 'act' where key = $1`, [person.key]);
  await identify('act');
  expect(await rows('select actor, action from operator_actions where subject = $1', [subject])).toEqual([
    { actor: 'carl', action: 'merchants keys' },
  ]);
});
