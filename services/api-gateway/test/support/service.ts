import { fileURLToPath } from 'node:url';
import { openBus } from '@gp/bus';
import {
  eventually,
  patientPg,
  startService,
  testDatabase,
  testNats,
  type ServiceProcess,
} from '@gp/testing';
import { followKeys } from '../../src/app/directories/follow-changes.ts';
import { openClient, type Client } from './client.ts';
import { checkoutUrl, encryptionKey, newKey, pepper, schemas } from './edge.ts';
import { fakeNeighbours } from './fakes.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens a database and a bus with responders in place of the other services, and starts processes of the edge on them. */
export async function openService() {
  const database = await testDatabase({ schemas });
  const nats = await testNats();
  const others = await openBus({ servers: nats.url, name: 'others' });
  await others.ensureStreams();
  const db = await patientPg({ url: database.url('api_gateway'), name: 'test', max: 2 });
  const fakes = fakeNeighbours(others);
  const { key, record } = newKey('test');
  await followKeys(db)(record);
  const running: ServiceProcess[] = [];
  const clients: Client[] = [];
  const launch = (env: Record<string, string> = {}): ServiceProcess => {
    const edge = startService(main, {
      DATABASE_URL: database.url('api_gateway'),
      NATS_URL: nats.url,
      PORT: '0',
      METRICS_PORT: '0',
      CHECKOUT_URL: checkoutUrl,
      API_KEY_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      IDEMPOTENCY_LEASE_MS: '1000',
      ...env,
    });
    running.push(edge);
    return edge;
  };
  const endProcesses = async (): Promise<void> => {
    for (const client of clients.splice(0)) client.close();
    await Promise.all(running.splice(0).map((edge) => edge.stop('SIGKILL')));
  };
  return {
    db,
    fakes,
    others,
    /** A merchant's key in test mode. */
    key,
    /** Starts a process that may end before it listens. */
    launch,
    /** Starts a process and waits until it is ready, so that it refuses nothing; its client has the key. */
    async start(env: Record<string, string> = {}): Promise<{ edge: ServiceProcess; client: Client }> {
      const edge = launch(env);
      const client = openClient(await edge.port, key);
      const probe = `http://127.0.0.1:${await edge.managementPort}/readyz`;
      await eventually(async () => (await fetch(probe)).ok || undefined);
      clients.push(client);
      return { edge, client };
    },
    /** Ends the processes of a test, and lets the other services answer as usual again. */
    async reset() {
      await endProcesses();
      fakes.reset();
    },
    async close() {
      await endProcesses();
      await fakes.close();
      await others.close();
      await db.close();
      await nats.stop();
      await database.drop();
    },
  };
}
