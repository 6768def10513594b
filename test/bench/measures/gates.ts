import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase, migrate } from '@gp/pg';
import { startPostgres } from '@gp/stack';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { root } from '../../support/stack.ts';
import { freePort } from '@gp/testing';
import { statementFile } from '../load/create-statement.ts';
import { round, type Figure } from '../ratios.ts';

const BATCH = 32;
const BATCHES = 50;
const SLOTS = 5;

/**
 * Cost of a create in Postgres, counted and not timed, so that it may fail a build: statements and round trips of a
 * batch, and bytes of write-ahead log per create without full-page images.
 */
export async function measureGates(say: (line: string) => void): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gp-gates-'));
  const settings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' };
  const server = await startPostgres({ dataDir, port: await freePort(), settings });
  try {
    const url = await ensureDatabase(server.url, 'gates');
    const directories = ['libs/outbox/migrations', 'services/group-ledger/migrations'].map((path) =>
      join(root, path),
    );
    await migrate({ url, schema: 'group_ledger', role: 'gates', password: 'gates', directories });
    const address = new URL(url);
    address.username = 'gates';
    address.password = 'gates';
    const client = new pg.Client({ connectionString: address.href });
    const admin = new pg.Client({ connectionString: url });
    await Promise.all([client.connect(), admin.connect()]);
    // Close the clients after a failure too: otherwise the server's stop under a client would hide the first error.
    const ended = () => Promise.all([client.end(), admin.end()]);
    const { statements, walBytes, created } = await run(client, admin).finally(ended);
    say(`${created} creates of ${SLOTS} slots in ${statements} statements, ${walBytes} bytes of log`);
    const perBatch = statements / BATCHES;
    const perCreate = walBytes / created;
    return [
      gate(
        'create-statements',
        'statements and round trips of a batch of 32 creates',
        perBatch,
        1,
        'statement',
      ),
      gate(
        'create-wal',
        'write-ahead log of a create without full-page images',
        perCreate,
        3 * 1024,
        'bytes',
      ),
    ];
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function run(client: pg.Client, admin: pg.Client) {
  const text = readFileSync(statementFile, 'utf8');
  // One batch first: it plans the statement and reads the catalogue.
  await client.query({ name: 'create', text, values: batch() });
  const before = await position(admin);
  let statements = 0;
  let created = 0;
  for (let turn = 0; turn < BATCHES; turn++) {
    const result = await client.query({ name: 'create', text, values: batch() });
    statements += 1;
    created += result.rowCount ?? 0;
  }
  const after = await position(admin);
  if (created !== BATCH * BATCHES) throw new Error(`${created} groups were made, not ${BATCH * BATCHES}`);
  return { statements, created, walBytes: after - before };
}

async function position(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`,
  );
  return Number(rows[0]?.bytes ?? NaN);
}

/** Values as the service sends them, see the statement's own source. */
function batch(): unknown[] {
  const groups = Array.from({ length: BATCH }, () => uuidv7());
  const each = <T>(make: (group: string) => T) => groups.map(make);
  const slots = groups.flatMap((group) => Array.from({ length: SLOTS }, (_, index) => ({ group, index })));
  return [
    each(() => randomBytes(32)),
    each(() => randomBytes(32)),
    groups,
    each(() => '01a1fc18-47c6-7fb2-ba9f-a2eb430a845e'),
    each(() => 'test'),
    each(() => 'Dinner'),
    each((group) => `GP-${group.replaceAll('-', '').slice(0, 17)}${group.slice(-6)}`),
    each(() => 5_000),
    each(() => 'EUR'),
    each(() => null),
    each((group) => group.replaceAll('-', '') + 'abc'),
    each(() => new Date(Date.now() + 3_600_000)),
    slots.map(({ group }) => group),
    slots.map(({ index }) => index + 1),
    slots.map(() => uuidv7()),
    slots.map(() => 1_000),
    slots.map(() => null),
    groups,
    each((group) =>
      JSON.stringify({
        merchant_id: '01a1fc18-47c6-7fb2-ba9f-a2eb430a845e',
        mode: 'test',
        owner: 'ledger',
        key: `expiry:${group}`,
        revision: 1,
        timer: {
          kind: 'group_expiry',
          due_at: new Date().toISOString(),
          data: { intentId: null, attemptId: null, step: 0, group_id: group },
        },
      }),
    ),
    uuidv7(),
    uuidv7(),
    each(() => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`),
  ];
}

function gate(id: string, what: string, value: number, limit: number, unit: string): Figure {
  const shown = round(value, unit === 'bytes' ? 0 : 2);
  return {
    id,
    what,
    value: `${shown} ${unit}`,
    goal: `≤${limit} ${unit}`,
    reached: value <= limit,
    detail: { value: shown },
  };
}
