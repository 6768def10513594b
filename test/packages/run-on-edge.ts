import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type EdgeVM = { evaluate(code: string): unknown };

// Runs the bundled program with the globals of an edge function, which has nothing of Node:
// `run-on-edge.ts <@edge-runtime/vm> <bundle>`, with the task as JSON in the environment.
const [runtime = '', bundle = ''] = process.argv.slice(2);
const { EdgeVM } = createRequire(import.meta.url)(runtime) as { EdgeVM: new () => EdgeVM };
const edge = new EdgeVM();
edge.evaluate(readFileSync(bundle, 'utf8'));
const result = await edge.evaluate(`program.payGroup(${process.env['TASK'] ?? '{}'})`);
// Timers of this runtime keep a process alive: the time limits of the client's requests would for half a minute.
process.stdout.write(JSON.stringify(result), () => process.exit());
