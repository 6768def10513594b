import { closeSync, openSync } from 'node:fs';

/**
 * Read once and from the environment itself, the one exception to "config.ts reads the environment": a fail
 * point belongs to the test that started the process, is no setting of a service, and must cost nothing.
 */
const armed = parse(process.env['GP_FAIL_POINT']);
const onceFile = process.env['GP_FAIL_POINT_ONCE_FILE'];

/**
 * Kills this process, as a power cut would, when `GP_FAIL_POINT` is `name`, or `name:3` for the third time it is
 * reached; several are separated by commas. With `GP_FAIL_POINT_ONCE_FILE` only the first process to reach a
 * point dies there: it leaves the file `<that>-<name>` behind, and its successor passes. Does nothing otherwise.
 */
export function failPoint(name: string): void {
  const left = armed?.get(name);
  if (armed === undefined || left === undefined) return;
  armed.set(name, left - 1);
  if (left !== 1 || !isFirstToDie(name)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment to arrive, and no code may run meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function isFirstToDie(name: string): boolean {
  if (onceFile === undefined) return true;
  try {
    closeSync(openSync(`${onceFile}-${name}`, 'wx'));
    return true;
  } catch {
    return false;
  }
}

/** Parses how often each point has still to be reached. */
function parse(text: string | undefined): Map<string, number> | undefined {
  if (!text) return undefined;
  return new Map(
    text.split(',').map((word) => {
      const [, name = word, hit = '1'] = /^(.*):(\d+)$/.exec(word) ?? [];
      return [name, Number(hit)];
    }),
  );
}
