import { TimeoutError } from '@gp/testing';
import { describe, expect, it } from '@jest/globals';

type File = { testFilePath: string; testExecError?: object; numFailingTests: number; testResults: object[] };
const again = '../../.configs/jest.again.mjs';
const { filesToAskAgain } = (await import(again)) as { filesToAskAgain(files: File[]): File[] };

const file = (path: string, ...failureMessages: string[]): File => ({
  testFilePath: `/clone/${path}`,
  numFailingTests: failureMessages.length,
  testResults: [
    { status: 'passed', failureMessages: [] },
    ...failureMessages.map((message) => ({ status: 'failed', failureMessages: [message] })),
  ],
});
const waited = [
  'Error: thrown: "Exceeded timeout of 60000 ms for a test.\nAdd a timeout value to this test',
  new TimeoutError('It did not happen within 20000 ms. The last attempt failed: Error: expected 1').stack!,
  'locator.click: Timeout 30000ms exceeded.\nCall log:',
];
const unstarted =
  'Error: GET http://127.0.0.1:1 answered 500\n    at seedOne (libs/stack/src/seed.ts:71:18)\n    at openOwnStack (test/support/own-stack.ts:26:18)';
const wrong = 'Error: expect(received).toEqual(expected)\n\nExpected: 1, after Timeout 30ms exceeded';
const well = file('libs/money/src/money.test.ts');
const broken = { ...well, testExecError: {} };
const judges = [
  'test/history/history.long.test.ts',
  'test/crash/crash-matrix.long.test.ts',
  'test/chaos/kill-one.long.test.ts',
  'test/conformance/gateway-a.long.test.ts',
  'services/group-ledger/test/model/model.component.test.ts',
];

describe('a file is asked again', () => {
  it.each([...waited, unstarted])('when it got no answer, whatever it judges: %s', (message) => {
    const late = judges.map((path) => file(path, message, ...waited));
    expect(filesToAskAgain([well, ...late])).toEqual(late);
  });

  it('when it gave a wrong answer or could not run, and does not judge money', () => {
    const failed = [file('test/browser/checkout.browser.test.ts', waited[0]!, wrong), broken];
    expect(filesToAskAgain([well, ...failed])).toEqual(failed);
  });
});

describe('nothing is asked again', () => {
  it('when all is well', () => {
    expect(filesToAskAgain([well, well])).toEqual([]);
  });

  it.each(judges)('when a judge of money gave a wrong answer or could not run: %s', (path) => {
    const late = file('test/browser/checkout.browser.test.ts', waited[0]!);
    expect(filesToAskAgain([late, file(path, waited[1]!, wrong)])).toEqual([]);
    expect(filesToAskAgain([late, { ...file(path), testExecError: {} }])).toEqual([]);
  });

  it('when more than five files failed', () => {
    const failed = Array.from({ length: 5 }, () => file('test/journeys/refunds.journey.test.ts', wrong));
    expect(filesToAskAgain(failed)).toEqual(failed);
    expect(filesToAskAgain([...failed, broken])).toEqual([]);
  });
});
