import { writeFileSync, writeSync } from 'node:fs';
import { overdueFiles } from './jest.overdue.mjs';

/**
 * Ends a run with one line for programs, after everything else jest has to say. A test file that could not
 * run, or that left a handle open, counts as a failure.
 *
 * With GP_OVERDUE it writes there, where only time ran out, how many other tests passed and, a line each, the files to
 * be asked again; the run that asks them adds GP_PASSED_BEFORE to what it counts.
 */
export default class FinalLineReporter {
  onRunComplete(_contexts, results) {
    const passed = results.numPassedTests + Number(process.env.GP_PASSED_BEFORE ?? 0);
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => writeSync(1, `${passed} passed, ${failed} failed\n`));
    const overdue = overdueFiles(results.testResults);
    if (!process.env.GP_OVERDUE || overdue.length === 0) return;
    const again = overdue.reduce((sum, file) => sum + file.numPassingTests, 0);
    const paths = overdue.map((file) => file.testFilePath);
    writeFileSync(process.env.GP_OVERDUE, [passed - again, ...paths, ''].join('\n'));
  }
}
