import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { listSandboxPorts } from '@gp/gateway-registry';
import { childEnv, eventually, freePort, testDatabase, type TestDatabase } from '@gp/testing';
import pg from 'pg';
import { request } from 'undici';

const folder = resolve(import.meta.dirname, '..');

/** The real service as a process of its own, over a database of this test file. */
export type Sandbox = {
  readonly url: string;
  /** Returns a further port of the sandbox, by its name in the manifest of its gateway. */
  port(name: string): number;
  readonly database: TestDatabase;
  /** Asks the tables behind the service's back. */
  sql<Row>(text: string): Promise<Row[]>;
  /** Everything the service has written to its log. */
  log(): string;
  kill(): Promise<void>;
  /** Starts it again, with these settings over its own from now on. */
  start(changed?: Readonly<Record<string, string | undefined>>): Promise<void>;
  readonly encryptionKey: string;
  stop(): Promise<void>;
};

export async function startSandbox(
  changed: Readonly<Record<string, string | undefined>> = {},
): Promise<Sandbox> {
  const schemas = [{ schema: 'psp_sandbox', directories: [`${folder}/migrations`] }];
  const database = await testDatabase({ schemas });
  const further = listSandboxPorts();
  const [port, metricsPort, ...others] = await Promise.all(
    Array.from({ length: 2 + further.length }, freePort),
  );
  const encryptionKey = randomBytes(32).toString('base64');
  let env: Record<string, string | undefined> = {
    DATABASE_URL: database.url('psp_sandbox'),
    ENCRYPTION_KEY: encryptionKey,
    PORT: String(port),
    CONTROL_FROM_LOOPBACK: '1',
    ...Object.fromEntries(further.map(({ setting }, index) => [setting, String(others[index])])),
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'debug',
    ...changed,
  };
  let child: ChildProcess | undefined;
  let log = '';

  const start = async (changed: Readonly<Record<string, string | undefined>> = {}): Promise<void> => {
    env = { ...env, ...changed };
    const started = spawn(process.execPath, ['src/main.ts'], {
      cwd: folder,
      env: childEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.stdout.on('data', (chunk) => (log += String(chunk)));
    started.stderr.on('data', (chunk) => (log += String(chunk)));
    child = started;
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error(`the sandbox did not start: ${log}`);
      const { statusCode, body } = await request(`http://127.0.0.1:${metricsPort}/readyz`);
      await body.dump();
      return statusCode === 200 ? true : undefined;
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    port: (name) => others[further.findIndex((one) => one.name === name)] ?? NaN,
    database,
    encryptionKey,
    sql: (text) => queryRows(database.url('psp_sandbox'), text),
    log: () => log,
    kill: () => end('SIGKILL'),
    start,
    stop: async () => {
      await end('SIGTERM');
      await database.drop();
    },
  };
}

async function queryRows<Row>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}
