import { describe, expect, it } from '@jest/globals';
import { metrics } from '@gp/telemetry';
import type { RequestLogRow } from '../../db/request-logs.ts';
import { openRequestLog } from './request-log.ts';
import type { LoggedRequest } from './to-row.ts';

let made = 0;
const entry = (o: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: String(++made),
  merchantId: 'm1',
  mode: 'test',
  keyId: null,
  requestId: 'req_1',
  method: 'GET',
  route: '/v1/group-payments',
  path: '/v1/group-payments',
  query: '',
  status: 200,
  durationMs: 1.4,
  ...o,
});

function openWorld(o: { mostBytes?: number } = {}) {
  const rows: RequestLogRow[] = [];
  let isAway = false;
  const log = openRequestLog({
    ...o,
    write: (batch) => {
      if (isAway) return Promise.reject(new Error('away'));
      rows.push(...batch);
      return Promise.resolve();
    },
  });
  return {
    log,
    rows,
    pass: () => log.loop.runOnce(AbortSignal.timeout(1_000)),
    away: (is: boolean) => void (isAway = is),
  };
}

async function readCount(outcome: string): Promise<number> {
  const text = await metrics.registry.getSingleMetricAsString('gp_request_logs_total');
  return Number(new RegExp(`outcome="${outcome}"[^}]*} (\\d+)`).exec(text)?.[1]);
}

it('requests are written in batches, each once and in their order (Q42)', async () => {
  const { log, rows, pass } = openWorld();
  const all = Array.from({ length: 450 }, () => entry());
  for (const one of all) log.note(one);
  expect([await pass(), await pass(), await pass(), await pass()]).toEqual(['busy', 'idle', 'idle', 'empty']);
  expect(rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

it('the first request after a rest is written within a quarter of a second, and a full batch at once (Q42)', async () => {
  const { log, pass } = openWorld();
  const wakes: (number | undefined)[] = [];
  log.loop.onWake?.((withinMs) => void wakes.push(withinMs));
  expect(await pass()).toBe('empty');
  for (let i = 0; i < 200; i++) log.note(entry());
  expect(wakes).toEqual([250, undefined]);
  expect([await pass(), await pass()]).toEqual(['idle', 'empty']);
});

it('a full buffer drops requests and counts them, and takes new ones after it was written (Q42)', async () => {
  const { log, rows, pass } = openWorld({ mostBytes: 4_000 });
  const before = await readCount('dropped');
  for (const merchantId of ['m1', 'm1', 'm2', 'm2', 'm3']) log.note(entry({ merchantId }));
  expect((await readCount('dropped')) - before).toBe(1);
  await pass();
  expect(rows.map(({ merchantId }) => merchantId)).toEqual(['m1', 'm1', 'm2', 'm2']);
  log.note(entry({ merchantId: 'm3' }));
  await pass();
  expect(rows.at(-1)?.merchantId).toBe('m3');
});

it('one merchant in one mode takes at most half of the buffer, bodies included (Q42)', async () => {
  const { log, rows, pass } = openWorld({ mostBytes: 8_000 });
  for (let i = 0; i < 8; i++) log.note(entry({ merchantId: 'loud', requestBody: Buffer.alloc(1_000) }));
  log.note(entry({ merchantId: 'loud', mode: 'live' }));
  log.note(entry({ merchantId: 'quiet' }));
  await pass();
  const written = rows.map(({ merchantId, mode }) => `${merchantId} ${mode}`);
  expect(written).toEqual(['loud test', 'loud test', 'loud live', 'quiet test']);
});

describe('a database that is away', () => {
  it('requests wait for the database and are written once when it is back (Q42)', async () => {
    const { log, rows, pass, away } = openWorld();
    away(true);
    log.note(entry());
    await expect(pass()).rejects.toThrow('away');
    away(false);
    await pass();
    await pass();
    expect(rows).toHaveLength(1);
  });

  it('a batch that can never be stored is dropped, and later ones are written (Q42)', async () => {
    const { log, rows, pass, away } = openWorld();
    const before = await readCount('dropped');
    away(true);
    log.note(entry());
    for (let tries = 0; tries < 20; tries++) await expect(pass()).rejects.toThrow('away');
    away(false);
    log.note(entry({ requestId: 'later' }));
    await pass();
    expect(rows.map(({ requestId }) => requestId)).toEqual(['later']);
    expect((await readCount('dropped')) - before).toBe(1);
  });
});

it('the end of the process writes what waits, and does not wait for a database that is away (Q42)', async () => {
  const { log, rows, away } = openWorld();
  for (let i = 0; i < 300; i++) log.note(entry());
  await log.close();
  expect(rows).toHaveLength(300);
  away(true);
  log.note(entry());
  await log.close();
  expect(rows).toHaveLength(300);
});

describe('the row of a request', () => {
  const write = async (o: Partial<LoggedRequest>) => {
    const { log, rows, pass } = openWorld();
    log.note(entry(o));
    await pass();
    return rows[0];
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));

  it('the row has whole milliseconds, redacted bodies and the code of an error', async () => {
    const row = await write({
      status: 409,
      requestBody: json({ customer_email: 'ana@example.com', slot_ids: [] }),
      responseBody: json({ code: 'no_payable_slots' }),
    });
    expect(row).toMatchObject({
      durationMs: 1,
      errorCode: 'no_payable_slots',
      requestBody: '{"customer_email":"[redacted]","slot_ids":[]}',
      responseBody: '{"code":"no_payable_slots"}',
    });
    expect((await write({ responseBody: json({ code: 'x' }) }))?.errorCode).toBeNull();
  });

  it.each(['', '{"a":', '[{"secret":"x"}]', '"sk_test"', '7', 'null', '\xff'])(
    'a body that is no JSON object is not kept: %j',
    async (text) => {
      expect(await write({ requestBody: Buffer.from(text, 'latin1') })).toMatchObject({ requestBody: null });
    },
  );
});
