import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the first of these programs that can be run, or undefined when no package with it is installed. */
export async function findProgram(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const isThere = await run(place, ['--version']).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}
