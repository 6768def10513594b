import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openSender } from '../../support/sender.ts';
import { atRate } from '../../support/steady-load.ts';
import { openClients } from './clients.ts';
import { openEndpoints } from './endpoint.ts';
import { makeKey, readHosts, readPlace } from './merchant.ts';
import { newGroup } from './payers.ts';

/**
 * `node updates.ts`, in the space of the cluster: a merchant changes groups at a steady rate, and each change is due at all of its
 * endpoints. It writes a line when it has begun and one for each that it reads: `{"answerAfterMs": n}` sets how long the endpoints
 * keep deliveries waiting; at `leave` it waits until each endpoint has every event, and writes an `UpdatesReport`.
 */
export type UpdatesReport = {
  /** Changes that were answered. */
  readonly updates: number;
  readonly deliveries: number;
  /** Deliveries that had come before. */
  readonly repeated: number;
  /** A sentence for each thing that should not be. */
  readonly faults: readonly string[];
};

const ENDPOINTS = 24;
const UPDATES_PER_SECOND = 3.5;
/** Groups that are changed in turn. */
const GROUPS = 4;
const PORT = 8443;
const HEARD_WITHIN_MS = 120_000;

const { api } = readHosts();
const sender = openSender();
const clients = openClients(sender);
const headers = { authorization: `Bearer ${await makeKey()}`, 'content-type': 'application/json' };
const ask = <T>(path: string, body: object) =>
  clients.untilDone<T>({
    method: 'POST',
    origin: api,
    path: `/v1/${path}`,
    headers,
    body: JSON.stringify(body),
  });

let answerAfterMs = 0;
const secrets = new Map<string, string>();
/** How often each event came to each endpoint. */
const heard = new Map<string, Map<string, number>>();
const place = readPlace();
const server = await openEndpoints(place, PORT, {
  findSecret: (path) => secrets.get(path),
  async take({ id }, path) {
    const times = heard.get(id) ?? new Map<string, number>();
    heard.set(id, times.set(path, (times.get(path) ?? 0) + 1));
    await delay(answerAfterMs);
  },
});
for (let index = 0; index < ENDPOINTS; index++) {
  const path = `/webhooks/${index}`;
  const url = `https://${place.address}:${PORT}${path}`;
  const { secret } = await ask<{ secret: string }>('webhooks', {
    url,
    event_types: ['group_payment.updated'],
  });
  secrets.set(path, secret);
}
const groups: string[] = [];
for (let index = 0; index < GROUPS; index++)
  groups.push((await ask<{ group_payment: { id: string } }>('group-payments', newGroup())).group_payment.id);

/** Changes whose answer was a success. */
let updates = 0;
const steady = atRate(UPDATES_PER_SECOND, async (index, dueAt) => {
  const path = `/v1/group-payments/${groups[index % GROUPS]}`;
  const body = JSON.stringify({ group_name: `Change ${index}` });
  const reply = await clients.once({ method: 'PATCH', origin: api, path, headers, body }, dueAt);
  if (reply?.status === 200) updates += 1;
});
process.stdin.once('end', () => process.exit(1));
process.stdout.write('begun\n');
for await (const line of createInterface(process.stdin)) {
  if (line === 'leave') break;
  ({ answerAfterMs } = JSON.parse(line) as { answerAfterMs: number });
  process.stdout.write('set\n');
}
await steady.stop();
answerAfterMs = 0;
for (const giveUpAt = Date.now() + HEARD_WITHIN_MS; listMissing().length > 0; await delay(500))
  if (Date.now() > giveUpAt) break;
const counts = [...heard.values()].flatMap((times) => [...times.values()]);
const report: UpdatesReport = {
  updates,
  deliveries: counts.reduce((sum, times) => sum + times, 0),
  repeated: counts.reduce((sum, times) => sum + times - 1, 0),
  faults: [...listMissing(), ...server.refused, ...clients.exchanges.flatMap(({ failure }) => failure ?? [])],
};
process.stdout.write(`${JSON.stringify(report)}\n`);
await server.close();
await sender.close();
process.stdin.destroy();

/** A sentence for the events of answered changes that no endpoint knows, and for each event that some lack. */
function listMissing(): string[] {
  const unheard = updates - heard.size;
  return [
    ...(unheard > 0 ? [`${unheard} changes were answered of which no endpoint heard`] : []),
    ...[...heard]
      .filter(([, times]) => times.size < ENDPOINTS)
      .map(([id, times]) => `event ${id} came to ${times.size} of ${ENDPOINTS} endpoints`),
  ];
}
