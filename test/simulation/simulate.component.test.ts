import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = promisify(execFile);
const main = new URL('main.ts', import.meta.url).pathname;

/** The output of the program, without the lines that state its duration. */
async function simulate(...given: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['--no-warnings', main, ...given]);
  return stdout
    .split('\n')
    .filter((line) => !/payments\/s/.test(line))
    .join('\n');
}

it('simulated worlds full of faults show no contradiction (S1–S10, R1–R8)', async () => {
  const printed = await simulate('--from', '1', '--worlds', '6', '--workers', '1');
  expect(printed).toMatch(/^6 worlds, [1-9]\d* payments \([1-9]/m);
  expect(printed).toMatch(/^0 contradictions$/m);
});

it('a seed shows the same world each time, alone and after another one', async () => {
  const [alone, after] = await Promise.all([simulate('--seed', '6'), simulate('--seed', '5', '--then', '6')]);
  expect(alone).toMatch(/^seed 6: .* payments/m);
  expect(after).toContain(alone.slice(alone.indexOf('seed 6'), alone.indexOf('\nfaults:')));
});
