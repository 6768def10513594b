import { randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import pg from 'pg';

export const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 });

/** Content of a create body of the benchmark. */
export type Body = {
  group_name: string;
  currency: string;
  expires_at: string;
  distribution: { number_of_slots: number };
};

export type Row = {
  command: Buffer;
  group: string;
  token: string;
  amounts: number[];
  slots: string[];
  outbox: string;
};

/** Ids and amounts of one group, as both peers need them. */
export function buildRow(body: Body): Row {
  const count = body.distribution.number_of_slots;
  return {
    command: Buffer.from(randomUUID().replaceAll('-', '') + randomUUID().replaceAll('-', ''), 'hex'),
    group: randomUUID(),
    token: randomUUID(),
    amounts: Array.from({ length: count }, () => 1_000),
    slots: Array.from({ length: count }, () => randomUUID()),
    outbox: randomUUID(),
  };
}

/** Serves one create route; `make` is the peer's way to write. */
export function serve(make: (row: Row, body: Body) => Promise<void>): void {
  const app: Express = express();
  app.use(express.json());
  app.post('/v1/group-payments', (request, response, next) => {
    const body = request.body as Body;
    const row = buildRow(body);
    make(row, body).then(() => response.status(201).json(buildAnswer(row, body)), next);
  });
  app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'));
}

function buildAnswer(row: Row, body: Body) {
  const at = new Date().toISOString();
  return {
    group_payment: {
      id: row.group,
      group_name: body.group_name,
      state: 'open',
      currency: body.currency,
      created_at: at,
    },
    payment_slots: row.slots.map((id, index) => ({
      id,
      group_payment_id: row.group,
      sequence_no: index + 1,
      amount: 10,
      state: 'unassigned',
      created_at: at,
    })),
    checkout_url: `http://127.0.0.1/c/${row.token}`,
  };
}
