#!/usr/bin/env node
import { once } from 'node:events';
import manifest from '../package.json' with { type: 'json' };
import { run } from './run.ts';

const stop = new AbortController();
const end = (): void => stop.abort();
process.once('SIGINT', end).once('SIGTERM', end);
// A reader such as `head` that takes no more ends the program, without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

process.exitCode = await run(process.argv.slice(2), {
  version: manifest.version,
  env: process.env,
  stdin: process.stdin,
  isTerminal: process.stdin.isTTY && process.stderr.isTTY,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  signal: stop.signal,
});
// What was written to a pipe is written before the end, and nothing that is still open keeps the program.
if (process.stdout.writableLength > 0) await once(process.stdout, 'drain');
process.exit();
