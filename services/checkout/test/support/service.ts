import { fileURLToPath } from 'node:url';
import { openBus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { startService, testDatabase, testNats, type ServiceProcess } from '@gp/testing';
import { encryptionKey, playNeighbours, schemas, start, usualAnswers, type Asked } from './checkout.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens a database and a bus with responders in place of the other services, and starts processes of checkout on them. */
export async function openService() {
  const nats = await testNats();
  const database = await testDatabase({ schemas });
  const others = await openBus({ servers: nats.url, name: 'others' });
  const asked: Asked[] = [];
  const answers = usualAnswers();
  playNeighbours(others, () => answers, asked);
  const running: ServiceProcess[] = [];
  return {
    nats,
    databaseUrl: database.url('checkout'),
    /** Sends requests to checkout as another service does. */
    others,
    /** The requests that checkout sent to other services. */
    asked,
    /** Starts a process. */
    launch(env: Record<string, string> = {}) {
      const process = startService(main, {
        METRICS_PORT: '0',
        PORT: '0',
        DATABASE_URL: database.url('checkout'),
        NATS_URL: nats.url,
        ENCRYPTION_KEY: encryptionKey,
        ...env,
      });
      running.push(process);
      return {
        ...process,
        /** Waits until the process has started, and returns the port of its metrics; rejects when it ends before. */
        metricsPort: () => process.managementPort,
      };
    },
    /** Starts the payment that the responders know. */
    startPayment: (timeoutMs = 20_000) => others.call(contracts.startPayment, start, { timeoutMs }),
    async close() {
      await Promise.all(running.map((process) => process.stop('SIGKILL')));
      await others.close();
      await nats.stop();
      await database.drop();
    },
  };
}
