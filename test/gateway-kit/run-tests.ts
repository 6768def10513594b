import type { ProjectCopy } from './fourth-gateway.ts';

/** What jest reports of a file of tests. */
type FileResult = {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly status: string }[];
};

const REPORT = 'test-report.json';

/**
 * Runs these files of tests in the copy, in one run of jest. Returns for each `passed`, or why it did not pass. Throws when
 * the run fails for another reason than its tests.
 */
export function runTests(copy: ProjectCopy, files: readonly string[]): ReadonlyMap<string, string> {
  const failure = findFailure(() =>
    copy.run('sh', ['.configs/run.sh', 'test', ...files, '--json', '--outputFile', REPORT]),
  );
  const verdicts = new Map(readReport(copy, failure, files));
  if (failure && [...verdicts.values()].every((verdict) => verdict === 'passed')) throw failure;
  return verdicts;
}

function findFailure(run: () => void): Error | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Without a report the run did not come as far as its tests. */
function readReport(
  copy: ProjectCopy,
  failure: Error | undefined,
  files: readonly string[],
): (readonly [string, string])[] {
  let text: string;
  try {
    text = copy.read(REPORT);
  } catch (error) {
    throw failure ?? error;
  }
  const { testResults } = JSON.parse(text) as { testResults: readonly FileResult[] };
  return files.map((file) => [file, judge(testResults.find(({ name }) => name.endsWith(`/${file}`)))]);
}

/** A file whose tests are all skipped has proved nothing. */
function judge(result: FileResult | undefined): string {
  if (!result) return 'jest ran no such file';
  if (result.status !== 'passed') return result.message;
  return result.assertionResults.every(({ status }) => status === 'passed')
    ? 'passed'
    : 'some tests did not run';
}
