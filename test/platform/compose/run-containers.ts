import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { findNats, programFile } from '@gp/stack';
import { childEnv, ownPostgres } from '@gp/testing';
import { processes, root } from '../processes.ts';
import { readComposeFile } from './compose-file.ts';
import { openMachine } from './machine.ts';

export type Ended = { readonly code: number | null; readonly out: string; readonly errors: string };
type Running = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

/** The containers of the compose file, as processes. */
export type Containers = {
  /** Starts them in their order and resolves when what goes on is healthy and what ends has ended well. */
  up(): Promise<void>;
  /** Runs a container once more, with further words of its command. */
  run(name: string, ...words: readonly string[]): Promise<Ended>;
  /** Asks every process of the platform to end. Resolves with their exit codes. */
  stop(): Promise<Readonly<Record<string, number | null>>>;
  /** Ends the servers and whatever else runs, and removes the data. */
  remove(): Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
const HEALTHY_WITHIN_MS = 180_000;
const COMPLETED = 'service_completed_successfully';

/**
 * Runs the containers of the compose file as processes of this machine, by their own commands, settings, files of secrets,
 * health checks and order. Only Postgres is the project's own: its image brings the program that sets a database up.
 */
export async function openContainers(): Promise<Containers> {
  const { services } = readComposeFile();
  const postgres = await ownPostgres();
  const machine = await openMachine({ postgresPort: Number(new URL(postgres.url).port) });
  const nats = dirname(await findNats());
  const started = new Map<string, Promise<Running | undefined>>();
  const reached = new Map<string, Promise<void>>();
  const all = new Set<Running>();

  function spawnContainer(name: string, words: readonly string[]): Running {
    const { entrypoint = ['/nodejs/bin/node'], command = [] } = services[name]!;
    const line = [...entrypoint, ...command, ...words].map((word) => toProgram(machine.place(name, word)));
    const env = { NODE_ENV: 'production', ...machine.readEnvironment(name) };
    const running = run(line, childEnv({ PATH: `${nats}:${process.env['PATH'] ?? ''}`, ...env }));
    all.add(running);
    void running.ended.then(() => all.delete(running));
    return running;
  }

  async function launch(name: string): Promise<Running | undefined> {
    const needed = Object.entries(services[name]!.depends_on ?? {});
    await Promise.all(needed.map(([other, { condition }]) => reach(other, condition)));
    if (name !== 'postgres') return spawnContainer(name, []);
    await setUpDatabase(postgres.url, machine.readEnvironment(name), machine.findSecrets(name));
    return undefined;
  }

  const start = (name: string) => once(started, name, () => launch(name));
  const reach = (name: string, condition: string) =>
    once(reached, name, async () => {
      const running = await start(name);
      if (!running) return;
      if (condition !== COMPLETED) return becomesHealthy(name, running);
      assertDone(name, await running.ended);
    });

  async function becomesHealthy(name: string, running: Running): Promise<void> {
    const [, ...test] = services[name]!.healthcheck!.test.map((word) => machine.place(name, word));
    for (const giveUpAt = Date.now() + HEALTHY_WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
      if (await isHealthy(test)) return;
      if (running.child.exitCode !== null || Date.now() > giveUpAt) {
        running.child.kill('SIGKILL');
        const { out, errors } = await running.ended;
        throw new Error(`${name} was never healthy:\n${out}${errors}`);
      }
    }
  }

  return {
    async up() {
      const own = Object.entries(services).filter(([, { profiles }]) => !profiles);
      await Promise.all(
        own.map(([name, { restart }]) => reach(name, restart === undefined ? COMPLETED : 'service_healthy')),
      );
    },
    run: (name, ...words) => spawnContainer(name, words).ended,
    async stop() {
      const codes = Object.keys(processes).map(async (name) => {
        const running = await start(name);
        running?.child.kill('SIGTERM');
        return [name, (await running?.ended)?.code ?? null] as const;
      });
      return Object.fromEntries(await Promise.all(codes));
    },
    async remove() {
      const left = [...all];
      for (const { child } of left) child.kill('SIGKILL');
      await Promise.all(left.map(({ ended }) => ended));
      await postgres.stop();
      await machine.remove();
    },
  };
}

function once<T>(known: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}

/** Programs of the image, as they are here. */
function toProgram(word: string): string {
  if (word === '/nodejs/bin/node') return process.execPath;
  return /^services\/.+\.js$/.test(word) ? programFile(join(root, word.replace(/\.js$/, '.ts'))) : word;
}

function run([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Running {
  // Sources, where nothing was built, are an experiment that Node warns of.
  const quiet = command === process.execPath ? ['--no-warnings'] : [];
  const child = spawn(command, [...quiet, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve({ code: null, out, errors: String(error) }));
    child.once('close', (code) => resolve({ code, out, errors }));
  });
  return { child, ended };
}

/** Runs the health check of a container; that of NATS by ourselves, for its image brings the program. */
async function isHealthy([command = '', ...args]: readonly string[]): Promise<boolean> {
  if (command === 'wget')
    return fetch(args.at(-1) ?? '').then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
  return (await run([toProgram(command), ...args], childEnv()).ended).code === 0;
}

function assertDone(name: string, { code, out, errors }: Ended): void {
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${out}${errors}`);
}

/** What the image of Postgres does with an empty volume: a database, and its administrator with the password. */
async function setUpDatabase(
  url: string,
  { POSTGRES_USER: user = '', POSTGRES_DB: database = '' }: Readonly<Record<string, string>>,
  secrets: string,
): Promise<void> {
  const { POSTGRES_PASSWORD: password = '' } = parseEnv(await readFile(secrets, 'utf8'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create role ${user} superuser login password ${client.escapeLiteral(password)}`);
    await client.query(`create database ${database} owner ${user}`);
  } finally {
    await client.end();
  }
}
