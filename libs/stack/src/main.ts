import { join, resolve } from 'node:path';
import { openStack, type Stack } from './stack.ts';

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
    ...stack.merchants.map((m) => [m.name, `${m.test_key}   login ${m.email} / ${m.password}`]),
  ];
  return rows.map(([name, value]) => `  ${String(name).padEnd(12)}${value}`).join('\n');
}

const started = Date.now();
const say = (line: string) => process.stdout.write(line + '\n');

try {
  const stack = await openStack({ root, say });
  say(
    `\nGroup Payments is up (${((Date.now() - started) / 1000).toFixed(1)} s)\n${table(stack)}\n\nCtrl-C stops it.`,
  );
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      say('\nstopping');
      stack.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${String(error)}\n`);
          process.exit(1);
        },
      );
    });
} catch (error) {
  process.stderr.write(
    `the stack did not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
