import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBus } from '@gp/bus';
import { ensureDatabase, migrate } from '@gp/pg';
import { serveControl } from './control.ts';
import { portsFrom, type Ports } from './ports.ts';
import { becomesReady } from './readiness.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { seedMerchants, type DemoMerchant } from './seed.ts';
import { startNats } from './servers/nats.ts';
import { startPostgres } from './servers/postgres.ts';
import { services, type ServiceSpec } from './services.ts';
import { superviseServer } from './supervise-server.ts';
import { superviseProcess, type Supervised } from './supervisor.ts';
import { writeStackFile } from './stack-file.ts';

export type StackOptions = {
  /** The repository. */
  readonly root: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Told what happens, for people. */
  readonly say?: (line: string) => void;
};

export type Stack = {
  readonly ports: Ports;
  readonly dataDir: string;
  readonly logFile: string;
  readonly merchants: readonly DemoMerchant[];
  readonly processes: ReadonlyMap<string, Supervised>;
  stop(): Promise<void>;
};

const READY_WITHIN_MS = 60_000;

/**
 * Brings the whole platform up on this machine: servers, schemas, streams, every service as its own process,
 * demo merchants. Resolves when every readiness probe is green and `.data/stack.json` is written.
 */
export async function openStack(o: StackOptions): Promise<Stack> {
  const env = o.env ?? process.env;
  const say = o.say ?? (() => undefined);
  const ports = portsFrom(env);
  const dataDir = resolve(o.root, env['GP_DATA_DIR'] ?? '.data');
  await mkdir(dataDir, { recursive: true });
  const secrets = await loadSecrets(dataDir, [...new Set(services.map((s) => s.schema))]);
  const logFile = join(dataDir, 'services.log');
  const log = await open(logFile, 'a', 0o600);
  const processes = new Map<string, Supervised>();
  const opened: { close(): Promise<void> }[] = [{ close: () => log.close() }];
  const stop = async () => {
    for (const resource of opened.reverse()) await resource.close();
  };

  try {
    const urls = await startServers({ env, ports, dataDir, secrets, processes, opened });
    say('servers are up');
    await prepareStorage({ root: o.root, urls, secrets });
    say('schemas and streams are in place');
    const write = (name: string, line: string) => void log.write(asLogLine(name, line));
    const started = services.map((spec, index) => {
      const process = superviseProcess(
        specOf(spec, { root: o.root, env, ports, secrets, urls, dataDir, metricsPort: ports.metrics(index) }),
        write,
      );
      processes.set(spec.name, process);
      return process;
    });
    opened.push({ close: async () => void (await Promise.all(started.map((p) => p.stop()))) });
    await Promise.all(started.map((p) => p.start()));
    opened.push(await serveControl(ports.control, processes));
    await Promise.all(
      services.map((s, i) => becomesReady(s.name, ports.metrics(i), READY_WITHIN_MS, logFile)),
    );
    say('every service is ready');
    const merchants = await seedMerchants(ports, dataDir);
    await writeStackFile(dataDir, { ports, merchants, processes, urls });
    return { ports, dataDir, logFile, merchants, processes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Urls = { readonly postgres: string; readonly nats: string };

async function startServers(o: {
  env: NodeJS.ProcessEnv;
  ports: Ports;
  dataDir: string;
  secrets: Secrets;
  processes: Map<string, Supervised>;
  opened: { close(): Promise<void> }[];
}): Promise<Urls> {
  const servers: Supervised[] = [];
  if (o.env['DATABASE_URL'] === undefined) {
    const options = {
      dataDir: join(o.dataDir, 'postgres'),
      port: o.ports.postgres,
      superuserPassword: o.secrets.postgres,
    };
    servers.push(superviseServer('postgres', () => startPostgres(options)));
  }
  if (o.env['NATS_URL'] === undefined) {
    const options = { dataDir: join(o.dataDir, 'nats'), port: o.ports.nats };
    servers.push(superviseServer('nats', () => startNats(options)));
  }
  for (const server of servers) {
    o.processes.set(server.name, server);
    o.opened.push({ close: () => server.stop() });
  }
  await Promise.all(servers.map((server) => server.start()));
  const admin = `postgres://postgres:${o.secrets.postgres}@127.0.0.1:${o.ports.postgres}/postgres`;
  return {
    postgres: await ensureDatabase(o.env['DATABASE_URL'] ?? admin, 'gp'),
    nats: o.env['NATS_URL'] ?? `nats://127.0.0.1:${o.ports.nats}`,
  };
}

async function prepareStorage(o: { root: string; urls: Urls; secrets: Secrets }): Promise<void> {
  for (const spec of services)
    await migrate({
      url: o.urls.postgres,
      schema: spec.schema,
      role: spec.schema,
      password: o.secrets.roles[spec.schema] ?? '',
      directories: spec.migrations.map((folder) => join(o.root, folder)),
    });
  const bus = await openBus({ servers: o.urls.nats, name: 'stack' });
  await bus.ensureStreams();
  await bus.close();
}

function specOf(
  spec: ServiceSpec,
  o: {
    root: string;
    env: NodeJS.ProcessEnv;
    ports: Ports;
    secrets: Secrets;
    urls: Urls;
    dataDir: string;
    metricsPort: number;
  },
) {
  const database = new URL(o.urls.postgres);
  database.username = spec.schema;
  database.password = o.secrets.roles[spec.schema] ?? '';
  return {
    name: spec.name,
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=8',
      join(spec.folder, 'src/main.ts'),
    ],
    cwd: o.root,
    env: {
      PATH: o.env['PATH'],
      DATABASE_URL: database.href,
      NATS_URL: o.urls.nats,
      METRICS_PORT: String(o.metricsPort),
      // Loading compiled code from disk spares every process the type stripper: 27 MB and half a second each.
      NODE_COMPILE_CACHE: join(o.dataDir, 'compile-cache'),
      ...spec.env({ ports: o.ports, secrets: o.secrets }),
      ...passedThrough(o.env),
    },
  };
}

/** Settings a person may give the stack for all its services: these by name, any other as `GP_SET_<NAME>`. */
const PASSED = /^(GP_FAIL_POINT.*|LOG_LEVEL|OTEL_.*|TRACE_.*|NODE_OPTIONS)$/;
const GIVEN = /^GP_SET_(.+)$/;
function passedThrough(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const given = GIVEN.exec(name)?.[1];
      return given !== undefined || PASSED.test(name) ? [[given ?? name, value]] : [];
    }),
  );
}

/** Services log JSON already; anything else (a crash's stack) becomes a line of the same form. */
function asLogLine(service: string, line: string): string {
  if (line.startsWith('{')) return line + '\n';
  return JSON.stringify({ time: new Date().toISOString(), level: 'error', service, msg: line }) + '\n';
}
