import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnv, eventually, programFile } from '@gp/testing';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const logs = mkdtempSync(join(tmpdir(), 'group-payments-conformance-'));

export type Running = {
  /** Ends it and what came after it, for good. */
  stop(): Promise<void>;
  /** How often it died without being asked to. */
  deaths(): number;
};

/**
 * Runs a service as its own process, as it would run anywhere, and brings it back whenever it dies: the smallest
 * supervisor there is. Resolves when it is ready.
 */
export async function runProcess(o: {
  folder: string;
  metricsPort: number;
  env: Readonly<Record<string, string>>;
}): Promise<Running> {
  let isStopping = false;
  let deaths = 0;
  let child: ChildProcess = start();

  function start(): ChildProcess {
    const log = createWriteStream(join(logs, `${o.folder.split('/').at(-1)}.log`), { flags: 'a' });
    const started = spawn(process.execPath, [programFile(join(root, o.folder, 'src/main.ts'))], {
      env: childEnv({ METRICS_PORT: String(o.metricsPort), ...o.env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.stdout?.pipe(log, { end: false });
    started.stderr?.pipe(log, { end: false });
    started.once('close', () => {
      log.end();
      if (isStopping) return;
      deaths += 1;
      child = start();
    });
    return started;
  }

  async function stop(): Promise<void> {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'close');
  }

  try {
    await eventually(() => isReady(o.metricsPort), { withinMs: 60_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { deaths: () => deaths, stop };
}

async function isReady(port: number): Promise<true | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  await response.body?.cancel();
  return response.ok || undefined;
}

/** Where the logs of everything started here are. */
export const logFolder = logs;
