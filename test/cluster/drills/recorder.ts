import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, kept } from '../paths.ts';
import { spawnInside } from '../space.ts';
import type { Recording } from './recording.ts';

/** Starts to record the metrics of all pods for a drill, in drills/<name>.metrics.json; its function ends it and returns them. */
export function startRecorder(name: string): { end(): Promise<Recording> } {
  const file = join(kept, 'drills', `${name}.metrics.json`);
  const program = join(here, 'drills/record-metrics.ts');
  const child = spawnInside(process.execPath, ['--no-warnings', program, file], process.env);
  const written = once(child.stdout, 'data');
  return {
    async end() {
      child.stdin.end();
      await written;
      return JSON.parse(readFileSync(file, 'utf8')) as Recording;
    },
  };
}
