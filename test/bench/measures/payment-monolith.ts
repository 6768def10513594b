import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, ownPostgres } from '@gp/testing';
import pg from 'pg';
import { send, type Group, type Pay } from '../../support/api.ts';
import { cards, postCard } from '../../support/payer.ts';
import type { StackFile } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { cpuSecondsOf, findParent, platformCpuSeconds } from '../cpu.ts';
import { createPost } from '../load/create-post.ts';
import { openLoop } from '../load/open-loop.ts';
import { openTills } from '../load/pay.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';
import { startPeer } from '../start-peer.ts';

const PER_SECOND = 4;
const IDLE_MS = 6_000;
const AFTER_MS = 1_000;
const GATEWAY = 'gateway_a';

/** P6-monolith: CPU of a whole payment of one slot in one straight-line program with its database / in the platform. */
export async function measurePaymentMonolith({
  stack,
  merchant,
  rounds,
  seconds,
  say,
}: Bench): Promise<Figure[]> {
  const monolith = await openMonolith(stack);
  const tills = await openTills(stack, [merchant]);
  const ours = () => platformCpuSeconds(stack);
  const [platform, straight]: [number[], number[]] = [[], []];
  const measure = async (
    cpu: () => Promise<number>,
    pay: (index: number) => Promise<unknown>,
  ): Promise<number> => {
    const before = await cpu();
    await openLoop({ perSecond: PER_SECOND, seconds, send: (index) => pay(index).then(() => true) });
    await delay(AFTER_MS);
    return (1_000 * ((await cpu()) - before)) / (PER_SECOND * seconds);
  };
  try {
    for (let index = 0; index < 5; index++) await Promise.all([tills.pay(index), monolith.pay(index)]);
    const before = await ours();
    await delay(IDLE_MS);
    const restMs = (1_000 * ((await ours()) - before) * (seconds + AFTER_MS / 1_000)) / (IDLE_MS / 1_000);
    for (let turn = 0; turn < rounds; turn++) {
      platform.push((await measure(ours, tills.pay)) - restMs / (PER_SECOND * seconds));
      straight.push(await measure(monolith.cpu, monolith.pay));
      say(`platform ${round(platform.at(-1) ?? NaN, 1)} ms, monolith ${round(straight.at(-1) ?? NaN, 1)} ms`);
    }
  } finally {
    await tills.close();
    await monolith.close();
  }
  const ratio = ratios(straight, platform);
  return [
    {
      id: 'P6-monolith',
      what: 'CPU of a whole payment of one slot: a straight-line monolith with its database / the platform, sandbox aside',
      value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}); ${round(computeSpread(straight).median, 1)} and ${round(computeSpread(platform).median, 1)} ms`,
      goal: '≥0.5',
      reached: ratio.median >= 0.5,
      detail: { ratio: round(ratio.median, 3) },
    },
  ];
}

/** The monolith with a database server and an account of the sandbox's of its own. */
async function openMonolith(stack: StackFile) {
  const database = await ownPostgres();
  const server = await prepareDatabase(database.url);
  const endpoint = await openEndpoint();
  const port = await freePort();
  const account = await send('POST', `${stack.sandbox}/control/${GATEWAY}/accounts`, {
    name: 'straight-line',
    display_name: 'Straight Line',
    webhook_url: `http://127.0.0.1:${port}/callbacks`,
  });
  const peer = await startPeer('straight-line', database.url, {
    port,
    env: {
      GATEWAY_URL: `${stack.sandbox}/${GATEWAY}`,
      ACCOUNT: JSON.stringify(account.body),
      WEBHOOK_URL: endpoint.url,
      WEBHOOK_SECRET: randomBytes(24).toString('hex'),
    },
  });
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': randomBytes(12).toString('hex'),
    };
    const answer = await fetch(peer.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201)
      throw new Error(`the monolith answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    cpu: async () => (await cpuSecondsOf(peer.pid)) + (await cpuSecondsOf(server)),
    async pay(index: number): Promise<void> {
      const create = JSON.parse(createPost('', '').body) as object;
      const group = (await ask('/v1/group-payments', {
        ...create,
        distribution: { type: 'equally', number_of_slots: 1 },
      })) as Group;
      const { id } = group.group_payment;
      const isPaid = endpoint.whenPaid(id);
      const slot_ids = group.payment_slots.map((slot) => slot.id);
      const body = { customer_email: `till${index}@payers.example`, slot_ids };
      await postCard(stack, (await ask(`/v1/group-payments/${id}/pay`, body)) as Pay, cards.approved);
      await isPaid;
    },
    async close() {
      peer.stop();
      await endpoint.close();
      await database.stop();
    },
  };
}

/** Makes the monolith's tables; returns the id of the server's process. */
async function prepareDatabase(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(join(import.meta.dirname, '../peers/straight-line.sql'), 'utf8'));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = await findParent(rows[0]?.pid ?? NaN);
  await client.end();
  return parent;
}

async function openEndpoint() {
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200).end();
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as Event;
      if (type === 'group_payment.paid') waiting.get(data.group_payment_id)?.();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    whenPaid: (id: string) => new Promise<void>((resolve) => waiting.set(id, resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Event = { readonly type: string; readonly data: { readonly group_payment_id: string } };
