import type { Readable } from 'node:stream';

/** Calls `onLine` for each line of a stream, also for a last one without a line end. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}
