import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const MAX_REFUSED = 0.01;

/** Whether the load generator is installed; the measures that need it say so when it is not. */
export async function hasWrk(): Promise<boolean> {
  return run('wrk', ['--version']).then(
    () => true,
    (error: unknown) => ((error as { stdout?: string }).stdout ?? '').includes('wrk'),
  );
}

/**
 * Answers that were 2xx, per second, with `connections` clients that never pause. Rejects when more than 1 % were not:
 * refusing is quicker than working.
 */
export async function saturate(post: Post, o: { seconds: number; connections: number }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-wrk-'));
  const script = join(folder, 'post.lua');
  await writeFile(script, buildLua(post));
  try {
    const args = ['-t1', `-c${o.connections}`, `-d${o.seconds}s`, '--timeout', '10s', '-s', script, post.url];
    const { stdout } = await run('wrk', args);
    return parseRate(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function buildLua({ headers, body }: Post): string {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[ ${lua(name)} ] = ${lua(value)}`);
  return ['wrk.method = "POST"', `wrk.body = ${lua(body)}`, ...lines].join('\n') + '\n';
}

const lua = (text: string) => `[==[${text}]==]`;

function parseRate(report: string): number {
  const total = Number(/(\d+) requests in ([\d.]+)(m?s|m)/.exec(report)?.[1] ?? NaN);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1] ?? NaN);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(report)?.[1] ?? 0);
  if (!Number.isFinite(rate) || !(refused <= total * MAX_REFUSED)) throw new Error(`wrk said:\n${report}`);
  return rate * ((total - refused) / total);
}
