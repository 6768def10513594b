import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize } from 'node:v8';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { gatewayMigrations } from '@gp/gateway';
import { pspCodes } from '@gp/gateway-registry';
import { outboxMigrations } from '@gp/outbox';
import { findConstraint, unprepared, type Db } from '@gp/pg';
import { patientPg, testDatabase } from '@gp/testing';
import type { Recorded } from './store/recorder.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'gp-simulation-'));
const migrationsOf = (service: string): string =>
  new URL(`../../services/${service}/migrations`, import.meta.url).pathname;

type Opened = Awaited<ReturnType<typeof testDatabase>>;
let database: Opened;
const connections = new Map<string, Db>();

beforeAll(async () => {
  database = await testDatabase({
    schemas: [
      { schema: 'group_ledger', directories: [outboxMigrations, migrationsOf('group-ledger')] },
      { schema: 'scheduler', directories: [outboxMigrations, migrationsOf('scheduler')] },
      ...pspCodes.map((schema) => ({ schema, directories: [outboxMigrations, gatewayMigrations] })),
    ],
  });
  for (const schema of ['group_ledger', 'scheduler', ...pspCodes])
    connections.set(schema, await connect(schema));
});
afterAll(async () => {
  for (const db of connections.values()) await db.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** One connection, whose server takes the time from the simulation. */
async function connect(schema: string): Promise<Db> {
  const db = await patientPg({ url: database.url(schema), name: 'replay', max: 1 });
  for (const name of ['clock_timestamp', 'statement_timestamp', 'now'])
    await db.query(
      unprepared(`create function ${schema}.${name}() returns timestamptz language sql stable
                  as $$ select to_timestamp(current_setting('gp.now_ms')::float8 / 1000) $$`),
    );
  await db.query(unprepared(`set search_path = ${schema}, pg_catalog`));
  await db.query(
    unprepared(`do $$ declare d record; begin
      for d in select c.relname, a.attname, pg_get_expr(f.adbin, f.adrelid) as expression
               from pg_attrdef f join pg_class c on c.oid = f.adrelid
                 join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
               where c.relnamespace = '${schema}'::regnamespace and pg_get_expr(f.adbin, f.adrelid) ~ '(clock_timestamp|now)\\(\\)'
      loop
        execute format('alter table %I alter %I set default %s', d.relname, d.attname,
          regexp_replace(d.expression, '(pg_catalog\\.)?(clock_timestamp|now)\\(\\)', '${schema}.\\2()', 'g'));
      end loop; end $$`),
  );
  return db;
}

async function replay(step: Recorded): Promise<unknown> {
  const db = connections.get(step.schema) as Db;
  if (step.kind !== 'statement') return db.query(unprepared(step.kind));
  await db.query(unprepared(`set gp.now_ms = ${step.nowMs}`));
  return db.query({ name: step.name, text: step.text }, step.values).catch((error: unknown) => ({
    constraint: findConstraint(error) ?? String(error),
  }));
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const RANDOM_TEXT_OF = new Set(['outbox_unsent']);

/** Rows in a form in which both databases write the same: instants as milliseconds, amounts as text, names sorted. */
function normalize(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' && INSTANT.test(value)) return Date.parse(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !RANDOM_TEXT_OF.has(name));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, normalize(one)]),
  );
}

/** Rows have no order unless the statement gives them one, which both then follow. */
function toComparable(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(normalize(row))).sort();
}

it.each([3, 4])(
  'the simulated databases answer every statement as Postgres does: world %i (R1, R6, F1)',
  async (seed) => {
    const file = join(folder, `world-${seed}`);
    await run(process.execPath, [new URL('record.ts', import.meta.url).pathname, String(seed), file]);
    const log = deserialize(readFileSync(file)) as Recorded[];
    expect(log.length).toBeGreaterThan(500);
    for (const step of log) {
      const answered = await replay(step);
      if (step.kind !== 'statement') continue;
      const about = { schema: step.schema, statement: step.name };
      const expected = step.constraint === undefined ? toComparable(step.rows ?? []) : [step.constraint];
      const found = Array.isArray(answered)
        ? toComparable(answered)
        : [(answered as { constraint: string }).constraint];
      expect({ ...about, rows: found }).toEqual({ ...about, rows: expected });
    }
  },
);
