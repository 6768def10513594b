import type { Readable } from 'node:stream';

/** Hands on what a stream writes line by line, the last one also when it has no end. */
export function linesOf(stream: Readable, onLine: (line: string) => void): void {
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
