import { pool, serve } from './common.ts';

// The naive way: an interactive transaction, one round trip for every row.
serve(async (row, body) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('insert into commands (id, fingerprint, group_id) values ($1, $1, $2)', [
      row.command,
      row.group,
    ]);
    await client.query(
      `insert into groups (id, merchant_id, mode, group_name, merchant_order_id, total_minor, currency, state, page_token,
                           expires_at, version, sequence, refund_number, created_at, updated_at)
       values ($1, 'm1', 'test', $2, $3, $4, $5, 'open', $3, $6, 1, 0, 0, now(), now())`,
      [row.group, body.group_name, row.token, 1_000 * row.slots.length, body.currency, body.expires_at],
    );
    for (const [index, id] of row.slots.entries())
      await client.query(
        `insert into slots (group_id, sequence_no, id, amount_minor, state, updated_at)
         values ($1, $2, $3, $4, 'unassigned', now())`,
        [row.group, index + 1, id, row.amounts[index]],
      );
    await client.query(
      `insert into outbox (id, subject, group_key, mode, payload) values ($1, 'cmd.scheduler.timer.set.v1', $2, 'test', '{}')`,
      [row.outbox, row.group],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});
