import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gp/testing';
import { processes, root, type Known } from '../processes.ts';
import { readComposeFile, type ComposeService, type Mount } from './compose-file.ts';

/**
 * What one machine has in place of what containers have each for themselves: a folder for each of their folders, and a
 * free port for each of their ports.
 */
export type Machine = {
  /** Returns a text of a container with its folders, its ports and the addresses of other ones as they are here. */
  place(container: string, text: string): string;
  /** Returns the environment of a container, likewise. */
  readEnvironment(container: string): Readonly<Record<string, string>>;
  /** Returns the file with the secrets of a container. */
  findSecrets(container: string): string;
  remove(): Promise<void>;
};

const METRICS = 9464;
const MONITORING = 8222;
const NATS = 4222;
const PORT_SETTINGS = ['METRICS_PORT', ...Object.values(processes).flatMap(listPortSettings)];

function listPortSettings({ ports = {} }: Known): string[] {
  return Object.values(ports).map(({ setting }) => setting);
}

/** Makes the folders and finds the ports; the port of Postgres is given. */
export async function openMachine({ postgresPort }: { postgresPort: number }): Promise<Machine> {
  const { services } = readComposeFile();
  const folder = await mkdtemp(join(tmpdir(), 'compose-'));
  const ports = await findPorts(postgresPort);
  const published = new Map(
    Object.entries(services).flatMap(([name, { ports: doors = [] }]) =>
      doors.map((door) => {
        const [, outside = '', inside = ''] = door.split(':');
        return [outside, ports.get(`${name}:${inside}`)] as const;
      }),
    ),
  );

  function place(container: string, text: string): string {
    const paths = listPaths(folder, services[container]!);
    return paths
      .reduce((done, [inside, outside]) => done.replaceAll(inside, outside), text)
      .replaceAll(/127\.0\.0\.1:(\d+)/g, (all, port: string) => here(ports.get(`${container}:${port}`), all))
      .replaceAll(/(?<![\w.-])[a-z][a-z-]*:\d+/g, (all) => here(ports.get(all), all))
      .replaceAll(/localhost:(\d+)/g, (all, port: string) => {
        const mapped = published.get(port);
        return mapped === undefined ? all : `localhost:${mapped}`;
      });
  }

  function placeSetting(container: string, setting: string, value: string): string {
    if (setting === 'HOST') return '127.0.0.1';
    if (PORT_SETTINGS.includes(setting)) return String(ports.get(`${container}:${value}`));
    return place(container, value);
  }

  for (const { volumes = [], tmpfs = [] } of Object.values(services)) {
    for (const { type, source } of volumes)
      if (type === 'volume') await mkdir(join(folder, source), { recursive: true });
    for (const entry of tmpfs) await mkdir(join(folder, 'tmpfs', findFolder(entry)), { recursive: true });
  }
  await writeConfigurationOfNats(folder, services['nats']!, (text) => place('nats', text), ports);

  return {
    place,
    readEnvironment: (container) =>
      Object.fromEntries(
        Object.entries(services[container]!.environment ?? {}).map(([setting, value]) => [
          setting,
          placeSetting(container, setting, value),
        ]),
      ),
    findSecrets: (container) => join(folder, 'secrets', container, 'settings.env'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const here = (port: number | undefined, otherwise: string): string =>
  port === undefined ? otherwise : `127.0.0.1:${port}`;

/** A free port for each `<container>:<port>` that listens. */
async function findPorts(postgresPort: number): Promise<ReadonlyMap<string, number>> {
  const listening = [
    ['nats', NATS],
    ['nats', MONITORING],
    ...Object.entries(processes).flatMap(([name, { ports = {} }]) =>
      [METRICS, ...Object.values(ports).map(({ number }) => number)].map((port) => [name, port] as const),
    ),
  ] as const;
  const found = new Map<string, number>([['postgres:5432', postgresPort]]);
  for (const [name, port] of listening) found.set(`${name}:${port}`, await freePort());
  return found;
}

/** Folders and files of a container with those that stand for them here, the longest first. */
function listPaths(
  folder: string,
  { volumes = [], tmpfs = [] }: ComposeService,
): readonly (readonly [inside: string, outside: string])[] {
  const mounted = volumes.map((mount) => [mount.target, findPath(folder, mount)] as const);
  const kept = tmpfs.map(findFolder).map((path) => [path, join(folder, 'tmpfs', path)] as const);
  return [...mounted, ...kept].toSorted(([one], [other]) => other.length - one.length);
}

/** The folder of an entry such as `/tmp:mode=0700`. */
const findFolder = (tmpfs: string): string => tmpfs.split(':')[0] ?? '';

function findPath(folder: string, { type, source, volume }: Mount): string {
  return type === 'bind' ? join(folder, 'nats.conf') : join(folder, source, volume?.subpath ?? '');
}

/** The same configuration, with the folder and the ports of this machine. */
async function writeConfigurationOfNats(
  folder: string,
  { volumes = [] }: ComposeService,
  place: (text: string) => string,
  ports: ReadonlyMap<string, number>,
): Promise<void> {
  const source = volumes.find(({ type }) => type === 'bind')!.source;
  const port = (number: number) => String(ports.get(`nats:${number}`));
  const listeners = `"host": "127.0.0.1", "port": ${port(NATS)}, "http_port": ${port(MONITORING)}`;
  const text = place(readFileSync(join(root, source), 'utf8'));
  await writeFile(join(folder, 'nats.conf'), text.replace(`"http_port": ${MONITORING}`, listeners));
}
