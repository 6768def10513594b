/**
 * How the message of a test begins that ran out of time, whoever waited: jest, a loop of ours, a browser (whose messages
 * begin with the call, not with their error's name).
 */
const outOfTime =
  /^(Error: thrown: "Exceeded timeout of \d+ ms|TimeoutError: |\w+\.\w+: Timeout \d+ms exceeded)/;

/** More of them are no bad luck: the machine or the code is ill. */
const MOST_FILES = 3;

/**
 * The files of a run to be asked again, when nothing else failed than tests that ran out of time; none otherwise.
 * A wrong answer is never asked for twice: it may be the one in a hundred that costs somebody money.
 * @param {readonly import('@jest/test-result').TestResult[]} files what each file of the run came to
 */
export function overdueFiles(files) {
  const failing = files.filter((file) => file.testExecError || file.numFailingTests > 0);
  return failing.length <= MOST_FILES && failing.every(isOverdue) ? failing : [];
}

const isOverdue = ({ testExecError, testResults }) =>
  !testExecError &&
  testResults.every(({ status, failureMessages }) => status !== 'failed' || failureMessages.every(isTime));

const isTime = (message) => outOfTime.test(message);
