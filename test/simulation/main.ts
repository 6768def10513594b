import { parseArgs } from 'node:util';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { findMutant } from './mutants.ts';
import { addRan, emptyTotals, printRan, printTotals } from './summary.ts';
import type { Ran } from './world/run.ts';

// `npm run simulate -- --payments 100000 --from 1`, or `-- --seed 7` for one world again. Ends with 1 when a contradiction was found.
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    // Another world in the same thread: what the first one left behind must not change it.
    then: { type: 'string' },
    from: { type: 'string', default: '1' },
    payments: { type: 'string', default: '10000' },
    worlds: { type: 'string', default: '1000000000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    mutant: { type: 'string' },
    log: { type: 'boolean', default: false },
    // Ends with the first world that shows a contradiction.
    first: { type: 'boolean', default: false },
  },
});
const one = values.seed === undefined ? undefined : Number(values.seed);
const [from, payments, worlds, workers] = [values.from, values.payments, values.worlds, values.workers].map(
  Number,
) as [number, number, number, number];
if (![one ?? 1, from, payments, worlds, workers].every((value) => Number.isSafeInteger(value) && value > 0)) {
  process.stderr.write('--seed, --from, --payments, --worlds and --workers take whole numbers above 0\n');
  process.exit(2);
}
if (values.mutant !== undefined) findMutant(values.mutant);

const begunAt = performance.now();
const totals = emptyTotals();
const seeds =
  one === undefined ? undefined : [one, ...(values.then === undefined ? [] : [Number(values.then)])];
let next = from;
const take = (): number | null => {
  if (seeds) return seeds.shift() ?? null;
  if (values.first && totals.contradictions > 0) return null;
  return next < from + worlds && totals.payments < payments ? next++ : null;
};

await Promise.all(Array.from({ length: one === undefined ? workers : 1 }, work));
printTotals(totals, (performance.now() - begunAt) / 1_000);
process.exitCode = totals.contradictions > 0 ? 1 : 0;

/** One thread runs a world after the other. */
function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const workerData = { mutant: values.mutant ?? null, keepsLog: values.log };
    const worker = new Worker(new URL('./world.worker.ts', import.meta.url), { workerData });
    const give = (): void => worker.postMessage(take());
    worker.on('message', (ran: Ran | null) => {
      if (ran) {
        addRan(totals, ran);
        if (ran.contradictions.length > 0 || one !== undefined) printRan(ran);
      }
      give();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}
