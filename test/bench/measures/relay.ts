import { testNats } from '@gp/testing';
import type { Bench } from '../bench.ts';
import { compare, type Figure } from '../ratios.ts';
import { request } from '../request.ts';
import { openSideSchema } from '../side-database.ts';
import { startProgram, stopPeer } from '../start-peer.ts';
import { measureInTurn } from '../turns.ts';

const MESSAGES = 20_000;
/** A short run, asked for with `--seconds`, has fewer. */
const MESSAGES_PER_SECOND_ASKED = 4_000;
const RELAY = {
  id: 'P12-relay',
  what: 'messages/s from outbox rows to JetStream by the relay / the same messages published by the client alone',
  goal: 0.7,
};

/** P12: what the outbox costs a message, against its publication without one. On a bus without consumers. */
export async function measureRelay({ stack, rounds, seconds, say }: Bench): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const count = Math.min(MESSAGES, seconds * MESSAGES_PER_SECOND_ASKED);
  const { url } = await openSideSchema(stack, {
    ...{ database: 'bench_relay', schema: 'group_ledger' },
    migrations: [],
  });
  const nats = opened.adopt(await testNats(), (server) => server.stop());
  const env = { DATABASE_URL: url, NATS_URL: nats.url };
  const { url: program } = opened.adopt(await startProgram('relay', { env }), stopPeer);
  const measureRate = async (work: string): Promise<number> =>
    count / ((await request(`${program}/${work}?count=${count}`, 'POST')) as number);
  const rates = await measureInTurn(
    { relay: () => measureRate('relay'), 'client alone': () => measureRate('plain') },
    { rounds, say },
  );
  return [compare(RELAY, rates.relay, rates['client alone'])];
}
