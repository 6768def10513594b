import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ports } from './ports.ts';
import type { DemoMerchant } from './seed.ts';
import { services } from './services.ts';
import type { Supervised } from './supervisor.ts';

const local = (port: number) => `http://127.0.0.1:${port}`;

/** The published description of a running stack: a stable contract for tools that drive it from outside. */
export function describeStack(o: {
  ports: Ports;
  merchants: readonly DemoMerchant[];
  processes: ReadonlyMap<string, Supervised>;
  urls: { postgres: string; nats: string };
}) {
  const { ports } = o;
  return {
    api: local(ports.api),
    checkout: local(ports.checkout),
    dashboard: local(ports.dashboard),
    sandbox: local(ports.sandbox),
    gateway_a: local(ports.sandboxGatewayA),
    relay: local(ports.sandboxRelay),
    control: local(ports.control),
    postgres: o.urls.postgres,
    nats: o.urls.nats,
    merchants: o.merchants,
    services: Object.fromEntries(
      services.map(({ name }, index) => [
        name,
        {
          pid: o.processes.get(name)?.describe().pid ?? null,
          metrics: `${local(ports.metrics(index))}/metrics`,
          health: `${local(ports.metrics(index))}/readyz`,
        },
      ]),
    ),
  };
}

/** Writes `.data/stack.json` in one step, readable by its owner only: it holds keys and passwords. */
export async function writeStackFile(dataDir: string, o: Parameters<typeof describeStack>[0]): Promise<void> {
  const file = join(dataDir, 'stack.json');
  await writeFile(`${file}.new`, JSON.stringify(describeStack(o), null, 2) + '\n', { mode: 0o600 });
  await rename(`${file}.new`, file);
}
