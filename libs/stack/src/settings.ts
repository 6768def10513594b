import { resolve } from 'node:path';
import { portsFrom, type Ports } from './ports.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { services } from './services.ts';

/** Where the two servers are: embedded ones, or those the environment names. */
export type Urls = {
  readonly postgres: string;
  readonly nats: string;
  /** The database of the played gateways: the same one, unless told to keep their books apart from ours. */
  readonly gateways: string;
};

/** All that the parts of one stack are made from. */
export type Settings = {
  /** The repository. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: Ports;
  readonly dataDir: string;
  readonly secrets: Secrets;
};

/** Reads the environment of a stack, and its secrets, which it makes with the first start. */
export async function readSettings(root: string, env: NodeJS.ProcessEnv): Promise<Settings> {
  const ports = portsFrom(env);
  const dataDir = resolve(root, env['GP_DATA_DIR'] ?? '.data');
  const secrets = await loadSecrets(dataDir, [...new Set(services.map(({ schema }) => schema))]);
  return { root, env, ports, dataDir, secrets };
}
