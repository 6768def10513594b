import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createDataFolder } from '@gp/testing';
import { parseArguments } from './arguments.ts';
import { longPlan } from './plan.ts';
import { playPart } from './play-part.ts';
import { Refusal } from '../support/command-line.ts';
import { summarizeHistory } from './summary.ts';

// A long history, judged: `npm run history -- --minutes 20 --seed 7`. With `--dir` it is one part of the history in that
// folder, which later calls continue. Ends with 1 when a contradiction was found, with 2 when it cannot begin.
try {
  const { minutes, seed, dir: given } = parseArguments(process.argv.slice(2));
  const dir = given === undefined ? await createDataFolder() : resolve(given);
  const isClean = await play(dir, minutes, seed);
  process.exitCode = isClean ? 0 : 1;
  if (isClean && given === undefined) await rm(dir, { recursive: true, force: true });
  else process.stdout.write(`the data is kept in ${dir}\n`);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function play(dir: string, minutes: number, seed: number): Promise<boolean> {
  const history = await playPart(dir, longPlan(minutes, seed));
  process.stdout.write(`${summarizeHistory(history).join('\n')}\n`);
  return history.found.length === 0;
}
