import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** Returns where a tool of .configs/tools.sh is; undefined, after a line that says NOT RUN and why, where it cannot be had. */
export function findTool(name: string, purpose: string): string | undefined {
  const { status, stdout, stderr } = spawnSync('sh', ['.configs/tools.sh', name], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return stdout.trim();
  process.stderr.write(`NOT RUN: ${purpose}. ${stderr.trim()}\n`);
  return undefined;
}
