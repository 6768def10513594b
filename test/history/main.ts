import { parseArgs } from 'node:util';
import { openOwnStack } from '../support/own-stack.ts';
import { longPlan } from './plan.ts';
import { runHistory } from './run-history.ts';
import { hurried } from './settings.ts';
import { summarizeHistory } from './summary.ts';

// A long history, judged: `npm run history -- --minutes 20 --seed 7`. Ends with 1 when a contradiction was found.
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && minutes <= 600) || !Number.isSafeInteger(seed)) {
  process.stderr.write('--minutes takes a number from above 0 to 600, --seed a whole number\n');
  process.exit(2);
}
const own = await openOwnStack(hurried);
let isClean = false;
try {
  const history = await runHistory(own, longPlan(minutes, seed));
  process.stdout.write(`${summarizeHistory(history).join('\n')}\n`);
  isClean = history.found.length === 0;
} finally {
  process.exitCode = isClean ? 0 : 1;
  if (!isClean) process.stdout.write(`the data is kept in ${own.dataDir}\n`);
  await own.close({ keepData: !isClean });
}
