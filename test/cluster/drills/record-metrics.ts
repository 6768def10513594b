import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openApi } from '../list-objects.ts';
import { root } from '../paths.ts';
import { findNames, openRecorder, type Scraped } from './recording.ts';

/**
 * `node record-metrics.ts FILE`, in the space of the cluster: reads the metrics of all pods of the platform, in every namespace, and
 * writes FILE with those that alerts are made of when its input ends.
 */
const EVERY_SECONDS = 5;
/** A pod that does not answer within it has no values at this look. */
const PATIENCE_MS = 3_000;
const OURS = `/api/v1/pods?labelSelector=${encodeURIComponent('app.kubernetes.io/part-of=group-payments')}`;

type Pod = {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly containers: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status: { readonly podIP?: string; readonly phase?: string };
};

const [file = ''] = process.argv.slice(2);
const folder = join(root, 'charts/group-payments/alerts');
const rules = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
const recorder = openRecorder(findNames(rules.join('\n')), EVERY_SECONDS);
const list = openApi();
let known: readonly Pod[] = [];
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
  known = await list<Pod>(OURS).catch(() => known);
  const found = await Promise.all(known.map(scrape));
  return found.filter((one): one is Scraped => one !== undefined);
}

async function scrape({ metadata, spec, status }: Pod): Promise<Scraped | undefined> {
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  const port = ports.find(({ name }) => name === 'metrics')?.containerPort;
  if (port === undefined || status.podIP === undefined || status.phase !== 'Running') return undefined;
  const asked = fetch(`http://${status.podIP}:${port}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await asked.then((response) => response.text()).catch(() => undefined);
  return text === undefined ? undefined : { namespace: metadata.namespace, pod: metadata.name, text };
}
