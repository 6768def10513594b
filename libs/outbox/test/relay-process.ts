import { setTimeout as delay } from 'node:timers/promises';
import { openBus } from '@gp/bus';
import { openPg } from '@gp/pg';
import { outboxRelay } from '../src/index.ts';

/** A relay in its own process that dies, as by a power cut, at the fail point that its arguments name. */
const [databaseUrl = '', natsUrl = '', dieAt = ''] = process.argv.slice(2);
const db = await openPg({ url: databaseUrl, name: 'doomed-relay' });
const bus = await openBus({ servers: natsUrl, name: 'doomed-relay' });
const relay = outboxRelay({
  db,
  bus,
  log: { info: () => undefined, warn: () => undefined },
  failPoint: (name) => {
    if (name === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
const { signal } = new AbortController();
while (!bus.isConnected()) await delay(20);
while (bus.isConnected()) await relay.runOnce(signal);
process.exit(1);
