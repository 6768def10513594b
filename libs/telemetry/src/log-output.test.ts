import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openStdout } from './log-output.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** An output and what its stdout was given, piece by piece. */
function openRecorded() {
  const pieces: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    write: (text: string) => void pieces.push(text),
    end() {
      pieces.push('(end)');
      stdout.emit('close');
    },
  });
  const output = openStdout(stdout);
  const log = (line: string, isUrgent = false): void => {
    output.stream.write(line);
    output.hasLine(isUrgent);
  };
  return { output, pieces, log };
}

describe('the lines of a log', () => {
  it('lines that come within 20 ms are one write', () => {
    const { pieces, log } = openRecorded();
    for (const line of ['a', 'b', 'c']) log(line);
    jest.advanceTimersByTime(19);
    expect(pieces).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(pieces).toEqual(['abc']);
    log('d');
    jest.advanceTimersByTime(100);
    expect(pieces).toEqual(['abc', 'd']);
  });

  it('a line that tells of a fault is written at once, behind those that wait', () => {
    const { pieces, log } = openRecorded();
    log('a');
    log('b', true);
    expect(pieces).toEqual(['ab']);
    jest.advanceTimersByTime(100);
    expect(pieces).toEqual(['ab']);
  });

  it('lines that are many are written without waiting', () => {
    const { pieces, log } = openRecorded();
    for (let line = 0; line < 40; line++) log('x'.repeat(1_024));
    expect(pieces.map((piece) => piece.length)).toEqual([16_384, 16_384]);
  });

  it('an output that closes writes what waits, and ends once', async () => {
    const { output, pieces, log } = openRecorded();
    log('a');
    await Promise.all([output.close(), output.close()]);
    jest.advanceTimersByTime(100);
    expect(pieces).toEqual(['a', '(end)']);
    expect(output.isClosed()).toBe(true);
  });
});
