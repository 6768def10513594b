import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { unprepared } from '@gp/pg';
import { eventually } from '@gp/testing';
import { callRelay, insertOutbox, outboxRelay, type OutboxRelay, type RelayOptions } from '../src/index.ts';
import {
  freshSubject,
  buildMessage,
  openMailbox,
  openPostOffice,
  quiet,
  listUnsent,
  type Mailbox,
  type PostOffice,
} from './post-office.ts';

let office: PostOffice;
let subject: string;
let mailbox: Mailbox;
const relays: OutboxRelay[] = [];
const running = new AbortController().signal;

beforeAll(async () => {
  office = await openPostOffice();
});
beforeEach(() => {
  subject = freshSubject();
  mailbox = openMailbox(office.bus, subject);
});
afterEach(async () => {
  await Promise.all([mailbox.close(), ...relays.splice(0).map((relay) => relay.close())]);
  await office.db.query(unprepared('delete from outbox'));
});
afterAll(() => office.close());

function open(changes: Partial<RelayOptions> = {}): OutboxRelay {
  const relay = outboxRelay({ db: office.db, bus: office.bus, log: quiet, ...changes });
  relays.push(relay);
  return relay;
}

const connected = {
  isConnected: () => true,
  identifyStreams: () => Promise.resolve('the same'),
  redeliver: () => Promise.resolve(),
};

/** A bus that passes a message to the real one after `before` returned. */
function busWith(before: (n: number) => void): RelayOptions['bus'] {
  return {
    ...connected,
    isConnected: () => office.bus.isConnected(),
    publish: async (m) => {
      before((m.payload as { n: number }).n);
      await office.bus.publish(m);
    },
  };
}

const received = (): number[] => mailbox.received.map((m) => m.n);
const write = (...messages: [n: number, groupKey: string][]): Promise<void> =>
  insertOutbox(
    office.db,
    messages.map(([n, groupKey]) => buildMessage(subject, n, groupKey)),
  );

describe('what is carried', () => {
  it('every message of many groups arrives once, each group in its order, over several batches', async () => {
    const all = Array.from({ length: 450 }, (_, n): [number, string] => [n, `g${n % 7}`]);
    await write(...all);
    const relay = open();
    const results = [
      await relay.runOnce(running),
      await relay.runOnce(running),
      await relay.runOnce(running),
      await relay.runOnce(running),
    ];
    expect(results).toEqual(['busy', 'busy', 'idle', 'empty']);
    expect(await listUnsent(office.db)).toEqual([]);
    await mailbox.has(450);
    for (let group = 0; group < 7; group += 1) {
      const own = received().filter((n) => n % 7 === group);
      expect(own).toEqual(all.map(([n]) => n).filter((n) => n % 7 === group));
    }
    expect(new Set(received()).size).toBe(450);
  });

  it('the row’s id, mode, trace and payload travel with the message', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const payload = { n: 1, text: 'a"b\\c{}, ü NULL', list: [null, { deep: ['1'] }], amount_minor: '1500' };
    const seen: unknown[] = [];
    const bus: RelayOptions['bus'] = { ...connected, publish: async (m) => void seen.push(m) };
    const message = { ...buildMessage(subject, 1), mode: 'live' as const, payload, traceparent };
    const plain = buildMessage(subject, 2, 'other');
    await insertOutbox(office.db, [message, plain]);
    await open({ bus }).runOnce(running);
    const { groupKey: _, ...outbound } = message;
    expect(seen[0]).toEqual(outbound);
    expect(seen[1]).toEqual({ id: plain.id, subject, mode: 'test', payload: { n: 2 } });
    expect(seen[1]).not.toHaveProperty('traceparent');
  });

  it('a change that was rolled back publishes nothing', async () => {
    const work = office.db.transaction(async (tx) => {
      await insertOutbox(tx, [buildMessage(subject, 1)]);
      throw new AppError('conflict');
    });
    await expect(work).rejects.toMatchObject({ code: 'conflict' });
    await write([2, 'g']);
    await open().runOnce(running);
    await mailbox.has(1);
    expect(received()).toEqual([2]);
  });

  it('a message committed late is sent although later ones have gone before it', async () => {
    const relay = open();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
    const slow = office.db.transaction(async (tx) => {
      await insertOutbox(tx, [buildMessage(subject, 1, 'slow')]);
      wrote();
      await mayCommit;
    });
    await written;
    await write([2, 'fast']);
    await relay.runOnce(running);
    await mailbox.has(1);
    commit();
    await slow;
    await relay.runOnce(running);
    await mailbox.has(2);
    expect(received()).toEqual([2, 1]);
  });

  it('a long backlog is read batch by batch, never as a whole', async () => {
    const { db } = office;
    const statistics = unprepared<{ read: bigint }>(
      `select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables where relname = 'outbox'`,
    );
    const fill = (count: number) =>
      insertOutbox(
        db,
        Array.from({ length: count }, (_, n) => buildMessage(subject, n, `g${n}`)),
      );
    // Postgres has no statistics of this table yet and expects next to no unsent rows.
    await fill(10_000);
    const readSoFar = async (): Promise<bigint> => {
      await db.query(unprepared('select pg_stat_force_next_flush()'));
      await db.query(unprepared('select pg_stat_clear_snapshot()'));
      return (await db.query(statistics))[0]?.read ?? 0n;
    };
    const before = await readSoFar();
    const relay = open({ bus: { ...connected, publish: () => Promise.resolve() } });
    await relay.runOnce(running);
    await relay.close();
    // A session reports its reads when it ends.
    const read = await eventually(async () => {
      const more = (await readSoFar()) - before;
      return more > 0n ? more : undefined;
    });
    // Other sessions may report now what they read in the tests before.
    expect(read).toBeLessThan(5_000n);
  });

  it('a relay without messages may rest until a second publication may be due', async () => {
    const relay = open({ repeatAfterMs: 60_000 });
    const rests: (number | undefined)[] = [];
    relay.onWake?.((withinMs) => void rests.push(withinMs));
    expect(await relay.runOnce(running)).toBe('empty');
    expect(await relay.runOnce(running)).toBe('empty');
    expect(rests).toEqual([expect.any(Number), expect.any(Number)]);
    for (const rest of rests) expect(rest).toBeLessThanOrEqual(3_000);
    await write([1, 'g']);
    expect(await relay.runOnce(running)).toBe('idle');
    await mailbox.has(1);
    expect(await relay.runOnce(running)).toBe('empty');
  });

  it('a relay that leads is called by a process without a relay', async () => {
    const relay = open();
    let calls = 0;
    relay.onWake?.((withinMs) => (calls += withinMs === undefined ? 1 : 0));
    await relay.runOnce(running);
    await callRelay(office.db);
    await eventually(() => calls === 1 || undefined);
  });
});

describe('what fails', () => {
  it('a refused message stops its own group only, and the group goes on in order afterwards', async () => {
    let isRefused = true;
    const bus = busWith((n) => {
      if (n === 2 && isRefused) throw new AppError('internal_error');
    });
    const relay = open({ bus });
    await write([1, 'bad'], [2, 'bad'], [3, 'bad'], [4, 'good'], [5, 'good']);
    await relay.runOnce(running);
    expect(await relay.runOnce(running)).toBe('idle');
    expect(await listUnsent(office.db)).toEqual([2, 3]);
    isRefused = false;
    await eventually(async () => {
      await relay.runOnce(running);
      return (await listUnsent(office.db)).length === 0 ? true : undefined;
    });
    await mailbox.has(5);
    expect(received().filter((n) => n <= 3)).toEqual([1, 2, 3]);
    expect(received().filter((n) => n > 3)).toEqual([4, 5]);
  });

  it('a whole batch of refused messages does not hide the healthy ones behind it', async () => {
    const bus = busWith((n) => {
      if (n < 1000) throw new AppError('internal_error');
    });
    const refused = Array.from({ length: 200 }, (_, n): [number, string] => [n, `bad-${n}`]);
    await write(...refused, [1000, 'good']);
    const relay = open({ bus });
    // The refused groups wait for a second, then for two: only a pass within that time reads the rows behind
    // them.
    await eventually(async () => {
      await relay.runOnce(running);
      return (await listUnsent(office.db)).includes(1000) ? undefined : true;
    });
    await mailbox.has(1);
    expect(received()).toEqual([1000]);
    expect(await listUnsent(office.db)).toHaveLength(200);
  });

  it('a relay without a bus tries nothing, and everything leaves when the bus is back', async () => {
    const relay = open();
    await relay.runOnce(running);
    await office.nats.down();
    await eventually(() => (office.bus.isConnected() ? undefined : true));
    await write([1, 'g'], [2, 'g']);
    expect(await relay.runOnce(running)).toBe('idle');
    expect(await listUnsent(office.db)).toEqual([1, 2]);
    await office.nats.up();
    await eventually(async () => {
      await relay.runOnce(running);
      return (await listUnsent(office.db)).length === 0 ? true : undefined;
    });
    await mailbox.has(2);
    expect(received()).toEqual([1, 2]);
  });

  it('an outage in the middle of a batch blames no group: all go on at once afterwards', async () => {
    let isOut = true;
    const bus = busWith(() => {
      if (isOut) throw new AppError('service_unavailable');
    });
    const relay = open({ bus });
    await write([1, 'a'], [2, 'b']);
    expect(await relay.runOnce(running)).toBe('idle');
    isOut = false;
    await relay.runOnce(running);
    await relay.runOnce(running);
    expect(await listUnsent(office.db)).toEqual([]);
  });

  it('a stop ends the batch after the messages in hand, and those are marked', async () => {
    const stop = new AbortController();
    const bus = busWith((n) => {
      if (n === 2) stop.abort();
    });
    await write([1, 'g'], [2, 'g'], [3, 'g']);
    await open({ bus }).runOnce(stop.signal);
    expect(await listUnsent(office.db)).toEqual([3]);
  });
});

it('a wake-up reaches the loop', () => {
  const relay = open();
  let woken = 0;
  relay.wake();
  relay.onWake?.((withinMs) => (woken += withinMs === undefined ? 1 : 0));
  relay.wake();
  expect(woken).toBe(1);
});

describe('who leads', () => {
  const leaderPid = unprepared<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  const endBackend = unprepared('select pg_terminate_backend($1)');

  it('one of two relays publishes, and the other takes over when the leader’s connection dies', async () => {
    const counts = [0, 0];
    const counted = (i: 0 | 1) => open({ bus: busWith(() => (counts[i] = (counts[i] ?? 0) + 1)) });
    const [first, second] = [counted(0), counted(1)];
    await write([1, 'g']);
    await first.runOnce(running);
    await second.runOnce(running);
    await write([2, 'g']);
    await second.runOnce(running);
    await first.runOnce(running);
    expect(counts).toEqual([2, 0]);
    expect(await listUnsent(office.db)).toEqual([2]);
    await first.runOnce(running);
    expect(await listUnsent(office.db)).toEqual([]);

    const [leader] = await office.db.query(leaderPid);
    await office.db.query(endBackend, [leader?.pid]);
    await write([3, 'g']);
    await eventually(async () => {
      await second.runOnce(running);
      return counts[1] === 1 ? true : undefined;
    });
    await write([4, 'g']);
    await expect(first.runOnce(running)).resolves.toBe('idle');
    await second.runOnce(running);
    expect(counts).toEqual([2, 2]);
    await mailbox.has(4);
    expect(received()).toEqual([1, 2, 3, 4]);
  });

  it('a leader that loses its connection while publishing marks nothing, and no message arrives twice', async () => {
    const relay = open({
      bus: {
        ...connected,
        publish: async (m) => {
          await office.bus.publish(m);
          const [leader] = await office.db.query(leaderPid);
          await office.db.query(endBackend, [leader?.pid]);
        },
      },
    });
    await write([1, 'g']);
    await expect(relay.runOnce(running)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await listUnsent(office.db)).toEqual([1]);
    const successor = open();
    await eventually(async () => {
      await successor.runOnce(running);
      return (await listUnsent(office.db)).length === 0 ? true : undefined;
    });
    await write([2, 'g']);
    await successor.runOnce(running);
    await mailbox.has(2);
    expect(received()).toEqual([1, 2]);
  });

  it('a relay that does not lead wakes the one that does', async () => {
    const [leading, standby] = [open(), open()];
    let wakes = 0;
    leading.onWake?.((withinMs) => (wakes += withinMs === undefined ? 1 : 0));
    await leading.runOnce(running);
    await standby.runOnce(running);
    standby.wake();
    await eventually(() => wakes === 1 || undefined);
  });

  it('a stopped relay gives the lead away at once', async () => {
    const stop = new AbortController();
    const relay = open();
    await relay.runOnce(stop.signal);
    expect(await office.db.query(leaderPid)).toHaveLength(1);
    stop.abort();
    await eventually(async () => ((await office.db.query(leaderPid)).length === 0 ? true : undefined));
    expect(await relay.runOnce(stop.signal)).toBe('idle');
    expect(await office.db.query(leaderPid)).toHaveLength(0);
  });
});
