import { closeSync, openSync } from 'node:fs';

/**
 * Read once and from the environment itself, the one exception to "config.ts reads the environment": a fail
 * point belongs to the test that started the process, is no setting of a service, and must cost nothing.
 */
const armed = parse(process.env['GP_FAIL_POINT']);
const onceFile = process.env['GP_FAIL_POINT_ONCE_FILE'];
let hits = 0;

/**
 * Kills this process, as a power cut would, when `GP_FAIL_POINT` is `name`, or `name:3` for the third time
 * it is reached. With `GP_FAIL_POINT_ONCE_FILE` only the first process to get here dies: it leaves the file
 * behind, and its successor passes. Does nothing otherwise.
 */
export function failPoint(name: string): void {
  if (armed === undefined || armed.name !== name) return;
  hits += 1;
  if (hits !== armed.hit || !isFirstToDie()) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment to arrive, and nothing may run in it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function isFirstToDie(): boolean {
  if (onceFile === undefined) return true;
  try {
    closeSync(openSync(onceFile, 'wx'));
    return true;
  } catch {
    return false;
  }
}

function parse(text: string | undefined): { name: string; hit: number } | undefined {
  if (!text) return undefined;
  const [, name = text, hit = '1'] = /^(.*):(\d+)$/.exec(text) ?? [];
  return { name, hit: Number(hit) };
}
