import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { findManifest, isPspCode } from '@gp/gateway-registry';
import { HELP, parseAsked, type Asked } from './asked.ts';
import { portsFrom } from './ports.ts';
import type { DemoMerchant } from './seed.ts';
import { areFree } from './servers/port.ts';
import { openStack, type Stack } from './stack.ts';
import { noteStarter, stopStarted } from './starter.ts';
import { watchParent } from './watch-parent.ts';

const root = resolve(import.meta.dirname, '../../..');
const local = (port: number) => `http://127.0.0.1:${port}`;

function table(stack: Stack): string {
  const rows = [
    ['API', local(stack.ports.api)],
    ['checkout', local(stack.ports.checkout)],
    ['dashboard', local(stack.ports.dashboard)],
    ['mailbox', `${local(stack.ports.dashboard)}/mailbox`],
    ['sandbox', local(stack.ports.sandbox)],
    ['sample shop', local(stack.ports.shop)],
    ['control', `${local(stack.ports.control)}/processes`],
    ['metrics', `${local(stack.ports.metrics(0))}/metrics and the ports after it`],
    ['logs', stack.logFile],
    ...(process.env['GP_TRACES'] === '1' ? [['traces', join(stack.dataDir, 'spans.jsonl')]] : []),
    ['details', join(stack.dataDir, 'stack.json')],
    ...stack.merchants.map((m) => [
      m.name,
      `${m.test_key}   login ${m.email} / ${m.password}   ${describeGateways(m)}`,
    ]),
  ];
  return rows.map(([name, value]) => `  ${String(name).padEnd(12)}${value}`).join('\n');
}

/** Says what can be tried with a merchant: who pays by which gateway, and what it cannot do. */
function describeGateways({ gateway }: Pick<DemoMerchant, 'gateway'>): string {
  if (gateway === null) return 'no gateway: nothing can be paid';
  if (!isPspCode(gateway)) return 'every gateway';
  return findManifest(gateway).ledger.isRefundable ? gateway : `${gateway}: no refunds by API`;
}

const say = (line: string) => process.stdout.write(line + '\n');
const dataDir = resolve(root, process.env['GP_DATA_DIR'] ?? '.data');

/** Returns the command that stops this platform, and not another one of the checkout. */
function stopCommand(): string {
  const folder = process.env['GP_DATA_DIR'];
  return folder === undefined ? 'npm stop' : `GP_DATA_DIR=${folder} npm stop`;
}

/** Returns a signal that aborts at the first request to stop, and when npm or the terminal is gone. */
function listenForStop(): AbortSignal {
  const asked = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.abort());
  watchParent(() => asked.abort());
  // A closed terminal takes no more lines; that must not keep us from stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return asked.signal;
}

/** Keeps the stack up until it is asked to stop. */
async function start(): Promise<void> {
  const started = Date.now();
  const asked = listenForStop();
  const deleteStarterNote = await noteStarter(dataDir);
  try {
    const env = { GP_PAYER_MAILS: '1', ...process.env };
    const stack = await openStack({ root, env, say, signal: asked });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    say(`\nGroup Payments is up (${seconds} s)\n${table(stack)}\n\nCtrl-C or "${stopCommand()}" stops it.`);
    if (!asked.aborted) await once(asked, 'abort');
    say('\nstopping');
    await stack.stop();
  } catch (error) {
    if (!asked.aborted || !isAbort(error)) throw error;
  } finally {
    await deleteStarterNote();
  }
}

/** Says what failed and, where a port is taken, how a platform is started beside what has it. */
async function describe(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const base = code === 'EADDRINUSE' ? await findFreeBase() : undefined;
  if (base === undefined) return error.message;
  return `${error.message}\nGP_PORT_BASE=${base} GP_DATA_DIR=.data-${base} npm start runs a platform beside it, with other ports and data of its own.`;
}

/** Returns the first of some port bases whose ports are free. */
async function findFreeBase(): Promise<number | undefined> {
  for (const base of [18_080, 19_080, 20_080, 21_080, 22_080, 23_080]) {
    const ports = Object.values(portsFrom({ GP_PORT_BASE: String(base) }));
    if (await areFree(ports.filter((port) => typeof port === 'number'))) return base;
  }
  return undefined;
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

async function run(asked: Asked): Promise<void> {
  if ('unknown' in asked) throw new Error(`"${asked.unknown}" is not known here.\n\n${HELP}`);
  if (asked.word === 'help') say(HELP);
  else if (asked.word === 'stop') await stopStarted(dataDir, say);
  else await start();
}

try {
  await run(parseAsked(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${await describe(error)}\n`);
  process.exitCode = 1;
}
process.exit();
