import { execFile } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { mutants } from './mutants.ts';

const main = new URL('main.ts', import.meta.url).pathname;

/** Returns the contradictions that the program prints for a seed; why it failed where it printed none. */
function findContradictions(name: string, seed: number): Promise<string> {
  const given = ['--no-warnings', main, '--mutant', name, '--seed', String(seed)];
  return new Promise((resolve) =>
    execFile(process.execPath, given, (_error, stdout, stderr) => {
      const found = stdout.split('\n').filter((line) => line.includes('CONTRADICTION'));
      resolve(found.join('\n') || stderr.slice(-1_000));
    }),
  );
}

describe('a bug planted in the source is found by its seed', () => {
  it.each(mutants)('$name: seed $seed', async ({ name, seed, breaks }) => {
    expect(await findContradictions(name, seed)).toMatch(breaks);
  });
});
