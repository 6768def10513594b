import { TimeoutError } from '@gp/testing';
import { describe, expect, it } from '@jest/globals';

type File = { testExecError?: object; numFailingTests: number; testResults: object[] };
const overdue = '../../.configs/jest.overdue.mjs';
const { overdueFiles } = (await import(overdue)) as { overdueFiles(files: File[]): File[] };

const file = (...failureMessages: string[]): File => ({
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
const wrong = 'Error: expect(received).toEqual(expected)\n\nExpected: 1, after Timeout 30ms exceeded';

describe('a run is asked again', () => {
  it.each(waited)('for a file in which only time ran out: %s', (message) => {
    const late = file(message, ...waited);
    expect(overdueFiles([file(), late, file()])).toEqual([late]);
  });

  it('for nothing when all is well', () => {
    expect(overdueFiles([file(), file()])).toEqual([]);
  });

  it.each([
    ['a test had a wrong answer', [file(waited[0]!), file(waited[1]!, wrong)]],
    ['a file could not run, or left something open', [file(waited[0]!), { ...file(), testExecError: {} }]],
    ['time ran out everywhere', waited.concat(waited[0]!).map((message) => file(message))],
  ])('for nothing when %s', (_why, files) => {
    expect(overdueFiles(files)).toEqual([]);
  });
});
