import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { isReady } from './replicas.ts';

/** One replica behind a balancer. */
export type Backend = { readonly httpPort: number; readonly metricsPort: number };

export type Balancer = {
  readonly url: string;
  add(backend: Backend): void;
  /** It gets no further connections; those it has go on. */
  drop(backend: Backend): void;
  close(): Promise<void>;
};

const PROBE_MS = 1_000;
/** As many as a busy machine may cost a process that is well. */
const FAILURES = 4;

/**
 * A Service of Kubernetes as clients see it: one address whose new connections go to the replicas in turn, and to none
 * that is dropped or keeps failing its readiness probe. It knows nothing of HTTP and never touches an open connection.
 */
export async function openBalancer(): Promise<Balancer> {
  const backends = new Map<number, Backend & { failures: number }>();
  const sockets = new Set<Socket>();
  let turn = 0;

  const choose = (): Backend | undefined => {
    const ready = [...backends.values()].filter(({ failures }) => failures < FAILURES);
    return ready[turn++ % Math.max(1, ready.length)];
  };
  const server = createServer((client) => {
    const backend = choose();
    if (!backend) return client.resetAndDestroy();
    const upstream = connect(backend.httpPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.once('close', () => sockets.delete(from));
      from.once('error', () => to.resetAndDestroy());
      from.setNoDelay().pipe(to);
    }
  });
  const probing = setInterval(() => {
    for (const backend of backends.values())
      void isReady(backend).then((ready) => (backend.failures = ready ? 0 : backend.failures + 1));
  }, PROBE_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (backend) => void backends.set(backend.httpPort, { ...backend, failures: 0 }),
    drop: ({ httpPort }) => void backends.delete(httpPort),
    async close() {
      clearInterval(probing);
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
