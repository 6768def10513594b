/**
 * How the message of a test begins that ran out of time, whoever waited: jest, a loop of ours, a browser (whose messages
 * begin with the call, not with their error's name).
 */
const outOfTime =
  /^(Error: thrown: "Exceeded timeout of \d+ ms|TimeoutError: |\w+\.\w+: Timeout \d+ms exceeded)/;

/** How the stack of a failure ends that kept a platform from starting: nothing has been asked by then. */
const neverStarted = /\n +at (async )?openOwnStack \(/;

/** Who judges where the money is while processes die: a wrong answer there may be the one in a hundred that costs some. */
const judgeOfMoney = /\/(test\/(history|crash|chaos|conformance)|services\/group-ledger\/test\/model)\//;

/** More of them are no bad luck: the machine or the code is ill. */
const MOST_FILES = 5;

/**
 * The files of a run to be asked again, alone, since only a few failed; none otherwise. Files that judge money are among
 * them where nothing but time ran out, or where their platform did not start: their wrong answers stand.
 * @param {readonly import('@jest/test-result').TestResult[]} files what each file of the run came to
 */
export function filesToAskAgain(files) {
  const failing = files.filter((file) => file.testExecError || file.numFailingTests > 0);
  return failing.length <= MOST_FILES && failing.every(isInDoubt) ? failing : [];
}

const isInDoubt = (file) => !judgeOfMoney.test(file.testFilePath) || isWithoutAnswer(file);

const isWithoutAnswer = ({ testExecError, testResults }) =>
  !testExecError &&
  testResults.every(
    ({ status, failureMessages }) => status !== 'failed' || failureMessages.every(isNoAnswer),
  );

const isNoAnswer = (message) => outOfTime.test(message) || neverStarted.test(message);
