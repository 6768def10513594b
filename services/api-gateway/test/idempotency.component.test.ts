import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { sealWith } from '@gp/seal';
import { createLogger } from '@gp/telemetry';
import { eventually, rotateEncryptionKey } from '@gp/testing';
import { deriveIdentity } from '../src/app/idempotency/command.ts';
import { onceOnly } from '../src/app/idempotency/once-only.ts';
import { reapIdempotencyKeys } from '../src/app/idempotency/reap-idempotency-keys.ts';
import { sealedColumns } from '../src/db/sealed-columns.ts';
import { idempotencyStore, type IdempotencyStore } from '../src/db/idempotency-keys.ts';
import { createBody, encryptionKey, openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const groups = '/v1/group-payments';
const group = '0198c3f0-0000-7000-8000-00000000000a';
const payer = { customer_email: 'ada@example.com' };
const newKeyText = () => `order-${randomUUID()}`;
const create = (idempotencyKey: string, body: unknown = createBody(), key = edge.key) =>
  edge.post(groups, body, { idempotencyKey, key });
const pay = (idempotencyKey: string, body: unknown = payer, id = group) =>
  edge.post(`${groups}/${id}/pay`, body, { idempotencyKey });

/** A signal that a test gives when it has seen enough. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('a repeated request', () => {
  it('a repeated request gets the first response, byte for byte, and acts once', async () => {
    const key = newKeyText();
    const body = createBody();
    const first = await create(key, body);
    const second = await create(key, body);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['original-request']).toBe(first.headers['request-id']);
    expect(second.headers['request-id']).not.toBe(first.headers['request-id']);
    expect(edge.fakes.received.create).toHaveLength(1);
  });

  it('a repeated request is the same in another spelling of its JSON', async () => {
    const key = newKeyText();
    const at = new Date(Date.now() + 60_000).toISOString();
    const one = `{"group_name":"x","total_amount":30,"currency":"EUR","expires_at":"${at}","distribution":{"type":"equally","number_of_slots":3}}`;
    const two = `{ "distribution": {"number_of_slots": 3.0, "type": "equally"}, "currency":"EUR", "total_amount": 3.00e1, "expires_at":"${at}", "group_name": "\\u0078" }`;
    const first = await create(key, one);
    expect((await create(key, two)).text).toBe(first.text);
  });

  it('a repeated pay gets the secrets of the first response', async () => {
    const client = { client_secret: 'pi_1_secret_sentinel', gateway_a_account_id: 'a', publishable_key: 'p' };
    const rest = { payment_intent_id: group, amount_minor: '5', currency: 'EUR', slot_ids: [] };
    edge.fakes.answers.pay = () => Promise.resolve({ ...rest, psp_code: 'gateway_a', client });
    const key = newKeyText();
    const first = await pay(key);
    const second = await pay(key);
    expect(second.body['client_secret']).toBe('pi_1_secret_sentinel');
    expect(second.text).toBe(first.text);
    expect(edge.fakes.received.pay).toHaveLength(1);
  });

  it('a repeated request is answered even when it would not be accepted any more', async () => {
    const key = newKeyText();
    const body = createBody();
    const first = await create(key, body);
    edge.fakes.answers.create = () => Promise.reject(new AppError('internal_error'));
    expect((await create(key, body)).text).toBe(first.text);
  });

  it('a repeated request gets a business refusal again', async () => {
    edge.fakes.answers.pay = () => Promise.reject(new AppError('no_active_gateway'));
    const key = newKeyText();
    const first = await pay(key);
    edge.fakes.reset();
    const second = await pay(key);
    expect([first.status, second.status]).toEqual([409, 409]);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(edge.fakes.received.pay).toEqual([]);
  });
});

describe('what is not remembered', () => {
  it('a refusal of the input is not stored: the key is free for the corrected request', async () => {
    const key = newKeyText();
    expect((await create(key, createBody({ total_amount: 0 }))).status).toBe(400);
    expect((await create(key, createBody({ expires_at: '2020-01-01T00:00:00Z' }))).status).toBe(400);
    expect((await create(key)).status).toBe(201);
  });

  it('a failed authentication is not stored', async () => {
    const key = newKeyText();
    expect((await create(key, createBody(), 'sk_test_nobody')).status).toBe(401);
    expect((await create(key)).status).toBe(201);
  });

  const undecided = [
    ['internal_error', 500],
    ['service_unavailable', 503],
    ['gateway_unavailable', 503],
    ['gateway_error', 500],
    ['unauthorized', 401],
  ] as const;
  it.each(undecided)(
    'a failure is not stored: %s: the retry resumes at once, under the same identity (Q12)',
    async (code, status) => {
      const key = newKeyText();
      edge.fakes.answers.pay = () => Promise.reject(new AppError(code));
      expect((await pay(key)).status).toBe(status);
      const [before] = edge.fakes.received.pay;
      edge.fakes.reset();
      const retry = await pay(key);
      expect(retry.status).toBe(201);
      expect(retry.headers['idempotent-replayed']).toBeUndefined();
      expect(edge.fakes.received.pay[0]?.command_id).toBe(before?.command_id);
    },
  );

  it('a request without a key is not stored, and costs no statement', async () => {
    await create(newKeyText());
    const sent: string[] = [];
    const query = edge.db.query.bind(edge.db);
    edge.db.query = ((s: { name: string }, v: never) => (sent.push(s.name), query(s as never, v))) as never;
    const replies = [await edge.post(groups, createBody()), await edge.post(groups, createBody())];
    edge.db.query = query;
    expect(replies.map((r) => r.status)).toEqual([201, 201]);
    expect(sent).toEqual([]);
    expect(edge.fakes.received.create.at(-1)?.command_id).not.toBe(
      edge.fakes.received.create.at(-2)?.command_id,
    );
  });
});

describe('422 the key belongs to another request', () => {
  const shape = {
    error: 'Unprocessable Entity',
    code: 'idempotency_key_reused',
    version: '1.0.0',
    hint: expect.stringContaining('such as the expires_at of a creation, is kept with the key') as unknown,
  };

  it.each([
    ['another body', () => createBody({ total_amount: 99 })],
    ['one more field', () => createBody({ metadata: {} })],
  ])('a key of another request is a 422: %s', async (_what, other) => {
    const key = newKeyText();
    const body = createBody();
    await create(key, body);
    const reply = await create(key, other());
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject(shape);
    expect((await create(key, body)).status).toBe(201);
    expect(edge.fakes.received.create).toHaveLength(1);
  });

  it('a key of another path is a 422: a create and a pay, two groups', async () => {
    const key = newKeyText();
    await pay(key);
    expect((await pay(key, payer, group.replace('a', 'b'))).status).toBe(422);
    expect((await create(key)).status).toBe(422);
  });

  it('a key of another request is a 422 also while the first is still in flight', async () => {
    const { open, opened } = gate();
    const usual = edge.fakes.answers.create;
    edge.fakes.answers.create = (command) => opened.then(() => usual(command));
    const key = newKeyText();
    const first = create(key);
    await eventually(() => edge.fakes.received.create[0]);
    expect((await create(key, createBody({ total_amount: 99 }))).status).toBe(422);
    open();
    expect((await first).status).toBe(201);
  });
});

describe('the scope of a key', () => {
  it('the scope of a key is the merchant and the mode, and all secret keys of both', async () => {
    const key = newKeyText();
    const body = createBody();
    const sibling = (await edge.addKey('test')).key;
    const live = (await edge.addKey('live')).key;
    const stranger = (await edge.addKey('test', { merchant_id: 'm2' })).key;
    const first = await create(key, body);
    expect((await create(key, body, sibling)).text).toBe(first.text);
    for (const other of [live, stranger]) {
      const reply = await create(key, body, other);
      expect(reply.status).toBe(201);
      expect(reply.headers['idempotent-replayed']).toBeUndefined();
    }
    expect(new Set(edge.fakes.received.create.map((c) => c.command_id)).size).toBe(3);
  });

  it('the parts of an identity cannot be shifted into one another', () => {
    const command = (merchantId: string, key: string) =>
      deriveIdentity(
        {
          caller: { kind: 'secret_key', merchantId, mode: 'test', principal: 'secret' },
          key,
          method: 'POST',
          path: groups,
          body: {},
          requestId: 'req_1',
        },
        key,
      ).command_id;
    expect(command('m1', 'x')).not.toBe(command('m', '1x'));
    expect(command('m","test', 'x')).not.toBe(command('m', 'test","x'));
  });
});

describe('400 a key that is none', () => {
  it.each([
    ['of 256 characters', 'k'.repeat(256), 'must have at most 255 characters'],
    ['of none', '', 'must not be empty'],
  ])('an invalid key is a 400: %s', async (_what, key, reason) => {
    const reply = await create(key);
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe(`Validation error: Idempotency-Key: ${reason}`);
  });

  it('two keys of one request are a 400, and nothing is created', async () => {
    edge.fakes.reset();
    const headers = { 'idempotency-key': [newKeyText(), newKeyText()] };
    const reply = await edge.post(groups, createBody(), { headers });
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe('Validation error: Idempotency-Key: must be given once');
    expect(edge.fakes.received.create).toEqual([]);
  });

  it('a key may have 255 characters', async () => {
    expect((await create(newKeyText().padEnd(255, 'k'))).status).toBe(201);
  });
});

describe('a key on an operation that takes none', () => {
  it('a key on an operation that takes none is ignored, however long: nothing is checked, stored or replayed (Q12)', async () => {
    await edge.rows('delete from idempotency_keys');
    const sent = { idempotencyKey: 'k'.repeat(300) };
    expect((await edge.get(groups, sent)).status).toBe(200);
    for (const url of ['https://a.example', 'https://b.example']) {
      const reply = await edge.post('/v1/webhooks', { url }, sent);
      expect([reply.status, reply.body['url']]).toEqual([201, url]);
      expect(reply.headers['idempotent-replayed']).toBeUndefined();
    }
    expect(await edge.rows('select 1 from idempotency_keys')).toEqual([]);
  });
});

describe('the same request many times at once', () => {
  it('many equal requests at once act once, and all get the response', async () => {
    const key = newKeyText();
    const body = createBody();
    const replies = await Promise.all(Array.from({ length: 30 }, () => create(key, body)));
    expect(new Set(replies.map((r) => r.text)).size).toBe(1);
    expect(replies.filter((r) => r.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(edge.fakes.received.create).toHaveLength(1);
  });

  it('a repeated request is a 409 after waiting five seconds for a longer one; its response is there later', async () => {
    const { open, opened } = gate();
    const usual = edge.fakes.answers.pay;
    edge.fakes.answers.pay = (request) => opened.then(() => usual(request));
    const key = newKeyText();
    const first = pay(key);
    await eventually(() => edge.fakes.received.pay[0]);
    const second = await pay(key);
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ error: 'Conflict', code: 'idempotency_key_in_use' });
    expect(second.headers['retry-after']).toBe('1');
    open();
    const answer = await first;
    expect((await pay(key)).text).toBe(answer.text);
    expect(edge.fakes.received.pay).toHaveLength(1);
  });
});

describe('a process that died', () => {
  const unfinish = (what: string) =>
    edge.rows(`update idempotency_keys set status = null, response = null, sealed_with = null, ${what}`);

  it('a process that died after acting and before recording: the retry resumes and gets the same group', async () => {
    const key = newKeyText();
    const body = createBody();
    const first = await create(key, body);
    await unfinish(`leased_until = clock_timestamp() - interval '1 ms'`);
    const retry = await create(key, body);
    expect(retry.text).toBe(first.text);
    expect(edge.fakes.received.create[1]?.command_id).toBe(edge.fakes.received.create[0]?.command_id);
    const third = await create(key, body);
    expect(third.headers['original-request']).toBe(retry.headers['request-id']);
  });

  it('a process that died keeps its key until its lease has lapsed', async () => {
    const key = newKeyText();
    const body = createBody();
    await create(key, body);
    await unfinish(`leased_until = clock_timestamp() + interval '60 s'`);
    expect((await create(key, body)).body['code']).toBe('idempotency_key_in_use');
  });

  it('one of two retries that find a lapsed lease resumes, and the other waits for it', async () => {
    const key = newKeyText();
    const body = createBody();
    await create(key, body);
    await unfinish(`leased_until = clock_timestamp() - interval '1 ms'`);
    const retries = await Promise.all(Array.from({ length: 8 }, () => create(key, body)));
    expect(new Set(retries.map((r) => r.text)).size).toBe(1);
    expect(edge.fakes.received.create).toHaveLength(2);
  });

  it('a process that continues after its lease has lapsed cannot record over its successor', async () => {
    const key = newKeyText();
    const body = createBody();
    const first = await create(key, body);
    const [row] = await edge.rows<{ command_id: Buffer }>(
      'select command_id from idempotency_keys order by created_at desc limit 1',
    );
    const store = idempotencyStore(edge.db, 60_000);
    const ghost = { command_id: row?.command_id.toString('hex') ?? '', lease: randomUUID() };
    await unfinish('leased_until = clock_timestamp()');
    await store.keep({
      ...ghost,
      status: 201,
      sealed: sealWith({ encryptionKey }).seal('ghost', ghost.command_id),
    });
    await store.letGo(ghost);
    await store.discard(ghost);
    expect((await create(key, body)).text).toBe(first.text);
  });
});

/** The layer by itself, on the real store, for actions that no route has. */
function layer(o: Partial<IdempotencyStore> = {}, seal = sealWith({ encryptionKey })) {
  const store = { ...idempotencyStore(edge.db, 60_000), ...o };
  const log = createLogger({ service: 'test', level: 'silent' });
  return onceOnly({ store, seal, log });
}
const someCommand = () => {
  const caller = { kind: 'secret_key', merchantId: 'm1', mode: 'test', principal: 'secret' } as const;
  return { caller, key: newKeyText(), method: 'POST', path: groups, body: {}, requestId: 'req_1' };
};

describe('a rotation of the encryption key', () => {
  it('a rotation leaves stored responses readable, now under the new key alone (Y2)', async () => {
    const command = someCommand();
    const act = async () => ({ status: 201, body: { made: 'once' } });
    const first = await layer()(command, act);
    const previous = encryptionKey;
    const seal = await rotateEncryptionKey({ db: edge.db, columns: sealedColumns, previous });
    expect((await layer({}, seal)(command, act)).text).toBe(first.text);
    await expect(layer()(command, act)).rejects.toThrow(/not configured/);
    await edge.rows('delete from idempotency_keys');
  });
});

describe('a record that cannot be written', () => {
  it('a record that cannot be written does not change the response', async () => {
    const once = layer({ keep: () => Promise.reject(new AppError('service_unavailable')) });
    const answer = await once(someCommand(), () => Promise.resolve({ status: 201, body: { done: true } }));
    expect(answer).toEqual({ status: 201, text: '{"done":true}' });
  });
});

describe('an answer that is final although its status is 502', () => {
  it('a final response is stored although its status is 502: every gateway refused, and a repetition calls none of them again', async () => {
    const once = layer();
    const command = someCommand();
    const first = await once(command, () => Promise.resolve({ status: 502, body: { failed: ['a'] } }));
    const again = await once({ ...command, requestId: 'req_2' }, () =>
      Promise.reject(new Error('acted twice')),
    );
    expect(again).toEqual({ ...first, replayOf: 'req_1' });
  });
});

describe('at rest', () => {
  it('a stored response is sealed, and the key itself is not stored', async () => {
    const key = newKeyText();
    await create(key, createBody({ group_name: 'sentinel-name' }));
    const rows = await edge.rows<{ text: string }>(
      `select to_jsonb(k)::text || encode(response, 'escape') as text from idempotency_keys k where status is not null`,
    );
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain('sentinel-name');
    expect(stored).not.toContain(key);
  });

  it("a stored response in another row is refused, not served as that row's", async () => {
    const [a, b] = [newKeyText(), newKeyText()];
    const [bodyA, bodyB] = [createBody(), createBody()];
    await edge.rows('delete from idempotency_keys');
    await create(a, bodyA);
    await create(b, bodyB);
    await edge.rows(
      `update idempotency_keys k set response = o.response from idempotency_keys o where k.command_id <> o.command_id`,
    );
    expect((await create(a, bodyA)).status).toBe(500);
  });

  it('old records are deleted in small batches, so that reaping never delays a request (Q12)', async () => {
    await edge.rows('delete from idempotency_keys');
    await edge.rows(
      `insert into idempotency_keys
         (command_id, fingerprint, merchant_id, mode, request_id, lease, leased_until, created_at)
       select sha256(n::text::bytea), sha256('x'), 'm1', 'test', 'req_1', gen_random_uuid(), now(), now() - interval '73 h'
       from generate_series(1, 1500) n`,
    );
    const loop = reapIdempotencyKeys(edge.db);
    const { signal } = new AbortController();
    const left = async () => (await edge.rows('select 1 from idempotency_keys')).length;
    expect([await loop.runOnce(signal), await left()]).toEqual(['busy', 500]);
    expect([await loop.runOnce(signal), await left()]).toEqual(['busy', 0]);
    expect(await loop.runOnce(signal)).toBe('idle');
  });

  it('records are reaped after 72 hours, not before', async () => {
    await edge.rows('delete from idempotency_keys');
    for (const _ of [1, 2]) await create(newKeyText());
    await edge.rows(
      `update idempotency_keys set created_at = clock_timestamp() - interval '1 hour' * n
       from (select command_id, 70 + 3 * row_number() over () - 2 as n from idempotency_keys) x
       where x.command_id = idempotency_keys.command_id`,
    );
    const loop = reapIdempotencyKeys(edge.db);
    const { signal } = new AbortController();
    expect(await loop.runOnce(signal)).toBe('busy');
    expect(await loop.runOnce(signal)).toBe('idle');
    expect(await edge.rows('select 1 from idempotency_keys')).toHaveLength(1);
  });
});
