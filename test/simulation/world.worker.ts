import { parentPort, workerData } from 'node:worker_threads';
import { findMutant } from './mutants.ts';
import { replaceGlobals } from './runtime/globals.ts';
import { hookModules } from './runtime/hooks.ts';

// Runs the world of each seed that it is sent; null ends it.
const { mutant, keepsLog } = workerData as { mutant: string | null; keepsLog: boolean };
hookModules(mutant === null ? [] : findMutant(mutant).changes);
// Refusals are errors, and reading the stack costs more than deciding them.
if (!keepsLog) Error.stackTraceLimit = 0;
const { runWorld } = await import('./world/run.ts');
replaceGlobals();

parentPort?.on('message', (seed: number | null) => {
  if (seed === null) parentPort?.close();
  else
    runWorld(seed, { keepsLog }).then(
      (ran) => parentPort?.postMessage(ran),
      (error: unknown) => {
        throw error;
      },
    );
});
parentPort?.postMessage(null);
