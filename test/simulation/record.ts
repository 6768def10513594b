import { writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { replaceGlobals } from './runtime/globals.ts';
import { hookModules } from './runtime/hooks.ts';
import { Recorder, type Recorded } from './store/recorder.ts';

// Runs the world of a seed and writes every statement of its databases to a file: `node record.ts <seed> <file>`.
const [seed = '1', file = ''] = process.argv.slice(2);
hookModules([]);
const { runWorld } = await import('./world/run.ts');
replaceGlobals();
const log: Recorded[] = [];
await runWorld(Number(seed), { record: (schema) => new Recorder(schema, log) });
writeFileSync(file, serialize(log));
