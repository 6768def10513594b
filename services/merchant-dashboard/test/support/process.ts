import { fileURLToPath } from 'node:url';
import { runProgram, startService as startMain, type ServiceProcess } from '@gp/testing';
import { encryptionKey, pepper } from './dashboard.ts';

const resolveFile = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));

/** The settings both the service and the command line need. */
export const settings = (o: { database: string; nats: string }) => ({
  DATABASE_URL: o.database,
  NATS_URL: o.nats,
  API_KEY_PEPPER: pepper.toString('base64'),
});

/** Starts the service; `port` rejects when it ends before it listens. */
export function startService(env: Readonly<Record<string, string>>): ServiceProcess {
  const web = { ENCRYPTION_KEY: encryptionKey, MAIL_URL: 'file:///nonexistent/mail' };
  return startMain(resolveFile('main.ts'), { PORT: '0', METRICS_PORT: '0', ...web, ...env });
}

/** Runs one command of the command line to its end. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>>, input = '') {
  const { child, ended } = runProgram(resolveFile('cli.ts'), args, env);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  // A command that reads nothing may be gone before we have written.
  child.stdin.on('error', () => undefined).end(input);
  const { code } = await ended;
  return { code, out, err, answer: () => JSON.parse(out) as Record<string, unknown> };
}
