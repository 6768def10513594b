import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pool, serve } from './common.ts';

// The good monolith: Express, the driver, the very statement of the ledger, prepared, and no bus in between.
const text = readFileSync(process.env['CREATE_STATEMENT'] ?? '', 'utf8');

serve(async (row, body) => {
  const slots = row.slots.length;
  await pool.query({
    name: 'create',
    text,
    values: [
      [row.command],
      [row.command],
      [row.group],
      ['m1'],
      ['test'],
      [body.group_name],
      [row.token],
      [1_000 * slots],
      [body.currency],
      [null],
      [row.token],
      [body.expires_at],
      row.slots.map(() => row.group),
      row.slots.map((_, index) => index + 1),
      row.slots,
      row.amounts,
      row.slots.map(() => null),
      [row.group],
      ['{"mode":"test","key":"expiry","owner":"ledger","revision":1,"merchant_id":"m1","timer":null}'],
      row.outbox,
      randomUUID(),
      // From here on nothing that a create may leave out: references, labels, an organiser, a minimum, tips.
      [null],
      [null],
      row.slots.map(() => null),
      [null],
      [null],
      [null],
      [null],
      [null],
    ],
  });
});
