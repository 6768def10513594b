import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import pg from 'pg';
import { Agent, request } from 'undici';
import { uuidv7 } from 'uuidv7';

// The whole payment as one program would do it: Express, the driver, transactions with row locks, a call of the gateway
// between two of them, and a table of deliveries. It keeps the platform's promises: commands run once, an unknown outcome
// is asked again by the same key, every movement is posted, callbacks count once, webhooks are signed and repeated. It
// has one merchant, one gateway, no page, no expiry and no refund, which is in its favour.

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 });
const { GATEWAY_URL = '', ACCOUNT = '{}', WEBHOOK_URL = '', WEBHOOK_SECRET = '' } = process.env;
const account = JSON.parse(ACCOUNT) as Readonly<Record<string, string>>;
const agent = new Agent({ connections: 64 });

type Client = pg.PoolClient;
type Group = { id: string; total_minor: string; currency: string; state: string; sequence: number };
type Intent = { id: string; group_id: string; slot_id: string; amount_minor: string; state: string };

async function transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** A statement that is prepared once on each connection. */
const ask = async <T extends pg.QueryResultRow>(client: Client | pg.Pool, text: string, values: unknown[]) =>
  (await client.query<T>({ name: text.slice(0, 60), text, values })).rows;

async function callGateway(path: string, key: string, fields: Record<string, string>) {
  const answer = await request(GATEWAY_URL + path, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${account['secret_key']}`,
      'stripe-account': account['account_id'] ?? '',
      'idempotency-key': key,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  });
  const body = (await answer.body.json()) as Readonly<Record<string, unknown>>;
  if (answer.statusCode >= 400)
    throw new Error(`the gateway answers ${answer.statusCode}: ${JSON.stringify(body)}`);
  return body;
}

const createGroup: RequestHandler = async (input, response) => {
  const body = input.body as {
    group_name: string;
    currency: string;
    expires_at: string;
    distribution: { number_of_slots: number };
  };
  const slots = Array.from({ length: body.distribution.number_of_slots }, (_, index) => ({
    id: uuidv7(),
    sequence_no: index + 1,
  }));
  const group = { id: uuidv7(), page_token: randomBytes(18).toString('base64url') };
  await transaction(async (client) => {
    await ask(client, 'insert into commands (id) values ($1)', [input.get('idempotency-key') ?? group.id]);
    await ask(
      client,
      `insert into groups (id, name, total_minor, currency, state, expires_at, page_token) values ($1, $2, $3, $4, 'open', $5, $6)`,
      [group.id, body.group_name, 1_000 * slots.length, body.currency, body.expires_at, group.page_token],
    );
    await ask(
      client,
      `insert into slots (group_id, sequence_no, id, amount_minor, state)
       select $1, n, id, 1000, 'unassigned' from unnest($2::smallint[], $3::uuid[]) as s (n, id)`,
      [group.id, slots.map(({ sequence_no }) => sequence_no), slots.map(({ id }) => id)],
    );
  });
  response.status(201).json({ group_payment: { ...group, state: 'open' }, payment_slots: slots });
};

const pay: RequestHandler<{ id: string }> = async (input, response) => {
  const { customer_email, slot_ids } = input.body as { customer_email: string; slot_ids: [string] };
  const intent = { id: uuidv7(), group_id: input.params.id, slot_id: slot_ids[0] };
  const amount = await transaction(async (client) => {
    await ask(client, 'insert into commands (id) values ($1)', [input.get('idempotency-key') ?? intent.id]);
    const [slot] = await ask<{ amount_minor: string }>(
      client,
      `update slots set state = 'assigned', intent_id = $1 where group_id = $2 and id = $3 and state = 'unassigned' returning amount_minor`,
      [intent.id, intent.group_id, intent.slot_id],
    );
    if (!slot) throw new Error('the slot is taken');
    await ask(
      client,
      `insert into intents (id, group_id, slot_id, email, amount_minor, state) values ($1, $2, $3, $4, $5, 'created')`,
      [intent.id, intent.group_id, intent.slot_id, customer_email, slot.amount_minor],
    );
    await transit(client, intent.group_id, 'intent', intent.id, 'created');
    return slot.amount_minor;
  });
  const prepared = await callGateway('/v1/payment_intents', `prepare-${intent.id}`, {
    amount,
    currency: 'eur',
    capture_method: 'manual',
    'allowed_payment_method_types[0]': 'card',
    'metadata[payment_intent_id]': intent.id,
  });
  await ask(pool, 'update intents set psp_reference = $2 where id = $1', [intent.id, prepared['id']]);
  const { account_id: gateway_a_account_id, publishable_key } = account;
  const client = { client_secret: prepared['client_secret'], gateway_a_account_id, publishable_key };
  response.status(201).json({ payment_intent_id: intent.id, psp_code: 'gateway_a', ...client });
};

const hear: RequestHandler = async (input, response) => {
  const body = input.body as Buffer;
  if (!isSigned(body, input.get('stripe-signature') ?? '')) return void response.status(400).end();
  const event = JSON.parse(body.toString()) as { id: string; type: string; data: { object: { id: string } } };
  const held = await transaction(async (client) => {
    const isNew = await ask(
      client,
      'insert into callbacks (id) values ($1) on conflict do nothing returning id',
      [event.id],
    );
    if (isNew.length === 0 || event.type !== 'payment_intent.amount_capturable_updated') return undefined;
    return hold(client, event.data.object.id);
  });
  response.status(200).end();
  if (held) await capture(held);
  wake();
};

/** Books a hold; returns what is to be captured when it was the group's last. */
async function hold(
  client: Client,
  reference: string,
): Promise<(Intent & { psp_reference: string }) | undefined> {
  const [intent] = await ask<Intent>(client, 'select * from intents where psp_reference = $1', [reference]);
  if (!intent) return undefined;
  const [group] = await ask<Group>(client, 'select * from groups where id = $1 for update', [
    intent.group_id,
  ]);
  if (!group || intent.state !== 'created') return undefined;
  await ask(client, `update intents set state = 'preauthorised' where id = $1`, [intent.id]);
  await ask(client, `update slots set state = 'preauthorised' where group_id = $1 and intent_id = $2`, [
    group.id,
    intent.id,
  ]);
  await post(client, intent, 'payer:authorised', 'group:held');
  const rest = await ask(
    client,
    `select 1 from slots where group_id = $1 and state <> 'preauthorised' limit 1`,
    [group.id],
  );
  if (rest.length > 0) return undefined;
  await ask(client, `update groups set state = 'capturing', sequence = sequence + 1 where id = $1`, [
    group.id,
  ]);
  await transit(client, group.id, 'group', group.id, 'capturing');
  await tell(client, group.id, group.sequence + 1, 'group_payment.preauthorised');
  return { ...intent, psp_reference: reference };
}

async function capture({ psp_reference, ...intent }: Intent & { psp_reference: string }): Promise<void> {
  await callGateway(`/v1/payment_intents/${psp_reference}/capture`, `capture-${intent.id}`, {
    amount_to_capture: intent.amount_minor,
  });
  await transaction(async (client) => {
    const [group] = await ask<Group>(client, 'select * from groups where id = $1 for update', [
      intent.group_id,
    ]);
    if (group?.state !== 'capturing') return;
    await ask(client, `update intents set state = 'captured' where id = $1`, [intent.id]);
    await ask(client, `update slots set state = 'captured' where group_id = $1 and intent_id = $2`, [
      group.id,
      intent.id,
    ]);
    await post(client, intent, 'group:held', 'merchant:captured');
    await ask(client, `update groups set state = 'paid', sequence = sequence + 2 where id = $1`, [group.id]);
    await transit(client, group.id, 'group', group.id, 'paid');
    await tell(client, group.id, group.sequence + 1, 'payment_slot.captured');
    await tell(client, group.id, group.sequence + 2, 'group_payment.paid');
  });
}

const transit = (client: Client, group: string, entity: string, id: string, state: string) =>
  ask(client, 'insert into transitions (group_id, entity, entity_id, state_to) values ($1, $2, $3, $4)', [
    group,
    entity,
    id,
    state,
  ]);

/** Moves the amount of a payment from one account to another. */
const post = (client: Client, { id, group_id, amount_minor }: Intent, from: string, to: string) =>
  ask(
    client,
    `insert into postings (group_id, intent_id, account, amount_minor) values ($1, $2, $3, -$5::bigint), ($1, $2, $4, $5)`,
    [group_id, id, from, to, amount_minor],
  );

const tell = (client: Client, group: string, sequence: number, type: string) => {
  const id = uuidv7();
  const data = { group_payment_id: group, state: type.split('.')[1], is_test_mode: true, sequence };
  const body = JSON.stringify({ id, type, created: new Date().toISOString(), data });
  return ask(
    client,
    'insert into deliveries (id, group_id, sequence, type, body) values ($1, $2, $3, $4, $5)',
    [id, group, sequence, type, body],
  );
};

let isSending = false;
let isWoken = false;

/** Sends what is due, in turn for each group, until nothing is. */
function wake(): void {
  isWoken = true;
  if (isSending) return;
  isSending = true;
  void (async () => {
    while (isWoken) {
      isWoken = false;
      for (let due = await claim(); due.length > 0; due = await claim()) await Promise.all(due.map(sendAll));
    }
    isSending = false;
  })();
}

type Delivery = { id: string; group_id: string; body: string };

async function claim(): Promise<Delivery[][]> {
  const rows = await ask<Delivery>(
    pool,
    `update deliveries set attempts = attempts + 1, due_at = now() + interval '1 minute' where id in (
       select id from deliveries where done_at is null and due_at <= now() order by due_at limit 100 for update skip locked)
     returning id, group_id, body`,
    [],
  );
  const inOrder = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return [...Map.groupBy(inOrder, ({ group_id }) => group_id).values()];
}

async function sendAll(deliveries: readonly Delivery[]): Promise<void> {
  for (const { id, body } of deliveries) {
    const at = Math.floor(Date.now() / 1_000);
    const mac = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'service-event-id': id,
      'service-signature': `t=${at},v1=${mac}`,
    };
    const answer = await request(WEBHOOK_URL, { method: 'POST', dispatcher: agent, headers, body });
    await answer.body.dump();
    if (answer.statusCode < 300)
      await ask(pool, 'update deliveries set done_at = now(), status = $2 where id = $1', [
        id,
        answer.statusCode,
      ]);
  }
}

function isSigned(body: Buffer, header: string): boolean {
  const parts = Object.fromEntries(header.split(',').map((part) => part.split('='))) as Record<
    string,
    string
  >;
  const expected = createHmac('sha256', account['webhook_secret'] ?? '')
    .update(`${parts['t']}.`)
    .update(body)
    .digest();
  const given = Buffer.from(parts['v1'] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const app: Express = express();
app.post('/callbacks', express.raw({ type: '*/*' }), hear);
app.use(express.json());
app.post('/v1/group-payments', createGroup);
app.post('/v1/group-payments/:id/pay', pay);
app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'));
