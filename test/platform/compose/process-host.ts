import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { findNats, programFile } from '@gp/stack';
import { childEnv, ownPostgres } from '@gp/testing';
import { root } from '../processes.ts';
import { readComposeFile } from './compose-file.ts';
import { openMachine } from './machine.ts';
import { becomesHealthy, type Ended, type Host, type Serving } from './run-containers.ts';

type Running = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

/**
 * Runs the containers of the compose file as processes of this machine, by their own commands, settings, files of secrets
 * and health checks. Only Postgres is the project's own: its image brings the program that sets a database up.
 */
export async function openProcessHost(): Promise<Host> {
  const { services } = readComposeFile();
  const postgres = await ownPostgres();
  const machine = await openMachine({ postgresPort: Number(new URL(postgres.url).port) });
  const nats = dirname(await findNats());
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

  async function serveProcess(name: string): Promise<Serving> {
    const { child, ended } = spawnContainer(name, []);
    const [, ...test] = services[name]!.healthcheck!.test.map((word) => machine.place(name, word));
    await becomesHealthy({
      isHealthy: () => isHealthy(test),
      hasEnded: () => child.exitCode !== null,
      async explain() {
        child.kill('SIGKILL');
        const { out, errors } = await ended;
        return `${name} was never healthy:\n${out}${errors}`;
      },
    });
    return {
      async stop() {
        child.kill('SIGTERM');
        return (await ended).code;
      },
    };
  }

  return {
    run: (name, words) => spawnContainer(name, words).ended,
    async serve(name) {
      if (name !== 'postgres') return serveProcess(name);
      await setUpDatabase(postgres.url, machine.readEnvironment(name), machine.findSecrets(name));
      return { stop: () => postgres.stop().then(() => 0) };
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
