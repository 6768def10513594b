import { resolve } from 'node:path';
import { portsFrom, type Ports } from './ports.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { services } from './services.ts';

/** The addresses of the two servers: embedded ones, or those the environment names. */
export type Urls = {
  readonly postgres: string;
  readonly nats: string;
  /** A pooler in transaction mode in front of `postgres`, where the environment names one. */
  readonly pooler?: string | undefined;
  /**
   * The database of the simulated gateways: the same one, unless the environment names a separate one for their
   * books.
   */
  readonly gateways: string;
  /** Seeds with which the embedded NATS server knows each service; none for a server that the environment names. */
  readonly natsSeeds: Readonly<Record<string, string>>;
};

/** The values from which all parts of one stack are built. */
export type Settings = {
  /** The repository. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: Ports;
  readonly dataDir: string;
  readonly secrets: Secrets;
};

/** Reads the environment of a stack, and its secrets, which the first start creates. */
export async function readSettings(root: string, env: NodeJS.ProcessEnv): Promise<Settings> {
  const ports = portsFrom(env);
  const dataDir = resolve(root, env['GP_DATA_DIR'] ?? '.data');
  const schemas = [...new Set(services.map(({ schema }) => schema))];
  const sealing = services.filter(({ seals }) => seals).map(({ name }) => name);
  const secrets = await loadSecrets(dataDir, { schemas, sealing });
  return { root, env, ports, dataDir, secrets };
}
