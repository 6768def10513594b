import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openApi } from '../list-objects.ts';
import { root } from '../paths.ts';
import { listMetricsPods, type MetricsPod } from './metrics-pods.ts';
import { findNames, openRecorder, type Scraped } from './recording.ts';

/**
 * `node record-metrics.ts FILE`, in the space of the cluster: reads the metrics of all pods of the platform, in every namespace, and
 * writes FILE with those that alerts are made of when its input ends.
 */
const EVERY_SECONDS = 5;
/** A pod that does not answer within it has no values at this look. */
const PATIENCE_MS = 3_000;

const [file = ''] = process.argv.slice(2);
const folder = join(root, 'charts/group-payments/alerts');
const rules = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
const recorder = openRecorder(findNames(rules.join('\n')), EVERY_SECONDS);
const list = openApi();
let known: readonly MetricsPod[] = [];
const ended = new AbortController();
process.stdin.once('end', () => ended.abort()).resume();

for (let next = Date.now(); !ended.signal.aborted;) {
  recorder.add(await look());
  next += EVERY_SECONDS * 1_000;
  await delay(Math.max(0, next - Date.now()), undefined, { signal: ended.signal }).catch(() => undefined);
}
writeFileSync(file, JSON.stringify(recorder.end()));
process.stdout.write('kept\n');

async function look(): Promise<readonly Scraped[]> {
  // While the API of the cluster is away the pods that were there last are read.
  known = await listMetricsPods(list).catch(() => known);
  const found = await Promise.all(known.map(scrape));
  return found.filter((one): one is Scraped => one !== undefined);
}

async function scrape({ namespace, pod, address }: MetricsPod): Promise<Scraped | undefined> {
  const asked = fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await asked.then((response) => response.text()).catch(() => undefined);
  return text === undefined ? undefined : { namespace, pod, text };
}
