import { randomInt } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const claims = join(tmpdir(), `group-payments-ports-${userInfo().uid}`);

/**
 * Returns a free loopback port, for this process alone as long as it runs: its listener may be restarted, and no
 * other caller gets the port meanwhile. It lies above the ports of the tests' stacks and below the range from
 * which the system takes the ports of outgoing connections.
 */
export async function freePort(): Promise<number> {
  await mkdir(claims, { recursive: true });
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await claim(port)) && (await isFree(port))) return port;
  }
}

/** The process that creates the port's file owns it; an owner that has ended has released it. */
async function claim(port: number): Promise<boolean> {
  const path = join(claims, String(port));
  const file = await open(path, 'wx').catch(() => undefined);
  if (file) {
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  }
  const owner = Number(await readFile(path, 'utf8').catch(() => ''));
  if (owner > 0 && !isAlive(owner)) await rm(path, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
