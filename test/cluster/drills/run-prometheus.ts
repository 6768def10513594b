import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openApi } from '../list-objects.ts';
import { listMetricsPods } from './metrics-pods.ts';

/**
 * `node run-prometheus.ts PROGRAM FOLDER PORT`, in the space of the cluster: runs a Prometheus that reads the metrics of all pods of
 * the platform every 5 s, and keeps what it has in FOLDER. Writes a line when it is ready; ends it when the input ends. It tells
 * Prometheus of the pods over HTTP, since Debian's cannot ask Kubernetes itself.
 */
const [program = '', folder = '', port = ''] = process.argv.slice(2);
const READY_WITHIN_MS = 60_000;

const list = openApi();
const discovery = createServer((_, response) => {
  listMetricsPods(list).then(
    (pods) => {
      const targets = pods.map(({ address, ...labels }) => ({ targets: [address], labels }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(targets));
    },
    // Prometheus keeps the pods that it knows.
    () => response.writeHead(503).end(),
  );
});
discovery.listen(0, '127.0.0.1');
await once(discovery, 'listening');
const url = `http://127.0.0.1:${(discovery.address() as AddressInfo).port}`;
const file = join(folder, 'prometheus.json');
// As the chart's PodMonitor has it, but for the interval.
const pods = { job_name: 'pods', honor_labels: true, http_sd_configs: [{ url, refresh_interval: '5s' }] };
writeFileSync(file, JSON.stringify({ global: { scrape_interval: '5s' }, scrape_configs: [pods] }));
const log = openSync(join(folder, 'prometheus.log'), 'w');
const given = { 'config.file': file, 'storage.tsdb.path': join(folder, 'data') };
const args = Object.entries({ ...given, 'web.listen-address': `0.0.0.0:${port}` });
const child = spawn(
  program,
  args.map(([name, value]) => `--${name}=${value}`),
  { stdio: ['ignore', log, log] },
);
child.once('exit', () => process.exit());
process.stdin.once('end', () => child.kill()).resume();
for (const giveUpAt = Date.now() + READY_WITHIN_MS; !(await isReady()); await delay(200))
  if (Date.now() > giveUpAt) throw new Error('Prometheus is not ready');
process.stdout.write('ready\n');

function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
