import { relative } from 'node:path';
import { writeSync } from 'node:fs';

const SLOWEST = 20;

/**
 * Ends a run with the slowest files and, after everything else jest has to say, one line for programs. A test file that
 * could not run, or that left a handle open, counts as a failure.
 */
export default class FinalLineReporter {
  #slowest = [];

  onTestResult({ context, path }, { perfStats }) {
    const seconds = (perfStats.end - perfStats.start) / 1000;
    this.#slowest.push({ seconds, file: relative(context.config.rootDir, path) });
    this.#slowest.sort((a, b) => b.seconds - a.seconds).splice(SLOWEST);
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const lines = this.#slowest.map(({ seconds, file }) => `${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
    process.once('exit', () => {
      if (lines.length > 1) writeSync(1, `\nThe slowest files:\n${lines.join('')}\n`);
      writeSync(1, `${results.numPassedTests} passed, ${failed} failed\n`);
    });
  }
}
