import { writeSync } from 'node:fs';

/**
 * Ends a run with one line for programs, after everything else jest has to say. A test file that could not
 * run, or that left a handle open, counts as a failure.
 */
export default class FinalLineReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => writeSync(1, `${results.numPassedTests} passed, ${failed} failed\n`));
  }
}
