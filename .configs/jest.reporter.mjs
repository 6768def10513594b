import { writeFileSync, writeSync } from 'node:fs';
import { filesToAskAgain } from './jest.again.mjs';

/**
 * Ends a run with one line for programs, after everything else jest has to say. A test file that could not
 * run, or that left a handle open, counts as a failure.
 *
 * With GP_AGAIN it writes there, where a few files are to be asked again, how many tests passed in the others and, a
 * line each, these files; the run that asks them adds GP_PASSED_BEFORE to what it counts.
 */
export default class FinalLineReporter {
  onRunComplete(_contexts, results) {
    const passed = results.numPassedTests + Number(process.env.GP_PASSED_BEFORE ?? 0);
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => writeSync(1, `${passed} passed, ${failed} failed\n`));
    const inDoubt = filesToAskAgain(results.testResults);
    if (!process.env.GP_AGAIN || inDoubt.length === 0) return;
    const again = inDoubt.reduce((sum, file) => sum + file.numPassingTests, 0);
    const paths = inDoubt.map((file) => file.testFilePath);
    writeFileSync(process.env.GP_AGAIN, [passed - again, ...paths, ''].join('\n'));
  }
}
