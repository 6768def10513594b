import { readOptions, Refusal } from '../support/command-line.ts';

/** What a run by hand is to do; a folder makes it one part of the history in that folder. */
export type Arguments = { readonly minutes: number; readonly seed: number; readonly dir?: string };

const options = {
  minutes: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
  dir: { type: 'string' },
} as const;

/** Reads the command line; throws a `Refusal` with a line for people. */
export function parseArguments(args: readonly string[]): Arguments {
  const given = readOptions(args, options);
  const [minutes, seed] = [Number(given.minutes), Number(given.seed)];
  if (!(minutes > 0 && minutes <= 600) || !Number.isSafeInteger(seed))
    throw new Refusal('--minutes takes a number from above 0 to 600, --seed a whole number');
  if (given.dir === undefined) return { minutes, seed };
  if (given.dir === '') throw new Refusal('--dir takes the name of a folder');
  return { minutes, seed, dir: given.dir };
}
