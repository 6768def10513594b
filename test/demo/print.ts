import { styleText } from 'node:util';

const started = Date.now();

/** The demo's voice: one line per thing that happens, with the seconds since it began. */
export const tell = {
  chapter: (title: string) => write(`\n${styleText('bold', title)}`),
  step: (text: string) => write(`${clock()}  ${text}`),
  event: (text: string) => write(`${clock()}  ${styleText('cyan', '↳ webhook')}  ${text}`),
  good: (text: string) => write(`${clock()}  ${styleText('green', '✓')} ${text}`),
  bad: (text: string) => write(`${clock()}  ${styleText('red', '✗')} ${text}`),
  note: (text: string) => write(styleText('dim', `         ${text}`)),
};

function clock(): string {
  return styleText('dim', `${((Date.now() - started) / 1000).toFixed(2).padStart(6)}s`);
}

function write(line: string): void {
  process.stdout.write(line + '\n');
}
