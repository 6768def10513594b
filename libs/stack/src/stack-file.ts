import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ports } from './ports.ts';
import type { DemoMerchant } from './seed.ts';
import { services } from './services.ts';
import type { Urls } from './settings.ts';
import type { Supervised } from './supervisor.ts';
import { writePrivate } from './write-private.ts';

export type StackDescription = {
  readonly ports: Ports;
  readonly merchants: readonly DemoMerchant[];
  readonly processes: ReadonlyMap<string, Supervised>;
  readonly urls: Pick<Urls, 'postgres' | 'nats' | 'natsSeeds'>;
  readonly operatorKey: string;
  /** The settings of the operators' commands on merchants, by their variables. */
  readonly merchantsSettings: Readonly<Record<string, string>>;
};

const local = (port: number) => `http://127.0.0.1:${port}`;

/**
 * Returns the published description of a running stack: a stable contract for tools that drive it from outside.
 */
export function describeStack({ ports, merchants, processes, urls, ...operators }: StackDescription) {
  return {
    api: local(ports.api),
    checkout: local(ports.checkout),
    dashboard: local(ports.dashboard),
    sandbox: local(ports.sandbox),
    widget: `${local(ports.checkout)}/widget/v1.js`,
    shop: local(ports.shop),
    ...Object.fromEntries(
      Object.entries(ports.sandboxPorts).map(([name, port]) => [name.replaceAll('-', '_'), local(port)]),
    ),
    control: local(ports.control),
    postgres: urls.postgres,
    nats: urls.nats,
    // Those of people and their tools; of the services' own only the dashboard's is needed, for `merchants_settings`.
    nats_seeds: pick(urls.natsSeeds, ['administrator', 'installation', 'operator']),
    operator_key: operators.operatorKey,
    merchants_settings: operators.merchantsSettings,
    merchants,
    services: Object.fromEntries(
      services.map(({ name }, index) => [
        name,
        {
          pid: processes.get(name)?.describe().pid ?? null,
          metrics: `${local(ports.metrics(index))}/metrics`,
          health: `${local(ports.metrics(index))}/readyz`,
        },
      ]),
    ),
  };
}

function pick(all: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** `stack.json` of a data folder: it exists exactly as long as the stack it describes is up. */
export function stackFile(dataDir: string) {
  const file = join(dataDir, 'stack.json');
  let description: StackDescription | undefined;
  // One write after the other: two at once would share their temporary file.
  let written: Promise<void> = Promise.resolve();
  const write = () => {
    written = written.then(async () => {
      if (description) await writePrivate(file, describeStack(description));
    });
    return written;
  };
  const remove = async () => {
    description = undefined;
    await written;
    await rm(file, { force: true });
  };
  return {
    /** Removes the file that a killed stack left behind. */
    clear: remove,
    publish(o: StackDescription) {
      description = o;
      return write();
    },
    /** Writes the current process ids, once published. */
    refresh: () => void write().catch(() => undefined),
    close: remove,
  };
}
