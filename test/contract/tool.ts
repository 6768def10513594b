import { execFile } from 'node:child_process';
import { mkdir, rename, rm, access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/stack.ts';

const run = promisify(execFile);

const VERSION = '2.55.1';
const FETCH_WITHIN_MS = 180_000;

/** How Specmatic is called on this machine: a program and its first arguments; or why it cannot be. */
export type Tool =
  { readonly program: string; readonly args: readonly string[] } | { readonly missing: string };

/**
 * Specmatic from PATH, else its jar from the npm registry, kept in `.data/tools`. It is 85 MB for a machine that has
 * Java, so it is no dependency of the project.
 */
export async function findSpecmatic(): Promise<Tool> {
  if (await succeeds('specmatic', ['--version'])) return { program: 'specmatic', args: [] };
  if (!(await succeeds('java', ['-version']))) return { missing: 'there is no Java on this machine' };
  try {
    return { program: 'java', args: ['-XX:+UseSerialGC', '-jar', await jar()] };
  } catch (error) {
    return { missing: `its jar could not be fetched (${String(error).split('\n')[0] ?? ''})` };
  }
}

async function jar(): Promise<string> {
  const tools = join(root, '.data/tools');
  const kept = join(tools, `specmatic-${VERSION}.jar`);
  if (await exists(kept)) return kept;
  const fresh = join(tools, `fresh-${process.pid}`);
  await mkdir(fresh, { recursive: true });
  try {
    const pack = ['pack', `specmatic@${VERSION}`, '--silent', '--pack-destination', fresh];
    await run('npm', pack, { cwd: fresh, timeout: FETCH_WITHIN_MS });
    const packed = join(fresh, `specmatic-${VERSION}.tgz`);
    await run('tar', ['-xzf', packed, '-C', fresh, 'package/specmatic.jar']);
    await rename(join(fresh, 'package/specmatic.jar'), kept);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return kept;
}

const succeeds = (program: string, args: string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
