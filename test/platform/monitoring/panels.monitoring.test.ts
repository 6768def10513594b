import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { childEnv } from '@gp/testing';
import { openApi } from '../../support/journey.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { findMerchant } from '../../support/stack.ts';
import { openTraceReceiver, type TraceReceiver } from '../../support/trace-receiver.ts';
import { chart, root } from '../processes.ts';
import { asked, metricsIn } from './dashboards/queries.ts';
import { declaredMetrics } from './declared.ts';
import { openPrometheus, type Prometheus } from './prometheus.ts';
import { rules } from './alerts/rules.ts';

type Shown = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

/** Every question of every panel, as the chart delivers it. */
const questions = readdirSync(join(chart, 'dashboards')).flatMap((file) => {
  const { title, panels } = JSON.parse(readFileSync(join(chart, 'dashboards', file), 'utf8')) as {
    title: string;
    panels: readonly Shown[];
  };
  return panels.flatMap((panel) =>
    (panel.targets ?? []).map(({ expr }) => ({ where: `${title}: ${panel.title}`, expr })),
  );
});

/** Rates are taken over all of it: on a busy machine single scrapes come late. */
const WHOLE_LIFE = '5m';

let own: OwnStack;
let traces: TraceReceiver;
let prometheus: Prometheus;
const started = new Date();
const endpoints: Server[] = [];

// One life of the whole platform: the demo pays over three gateways, refunds, races and lets a bill expire, while two of the
// merchant's servers do not take webhooks. A collector takes the traces, since processes without one do not count spans.
beforeAll(async () => {
  traces = await openTraceReceiver();
  own = await openOwnStack(traces.settings);
  const { services } = own.stack;
  prometheus = await openPrometheus(
    Object.fromEntries(Object.entries(services).map(([name, { metrics }]) => [name, metrics])),
  );
  await prometheus.scrapedSince(new Date());
  const api = openApi(own.stack, findMerchant(own.stack, 'multi'));
  await api.createWebhook(await endpoint((answer) => answer(500)));
  await api.createWebhook(await endpoint(() => undefined));
  await demo();
  await prometheus.scrapedSince(new Date());
}, 300_000);
afterAll(async () => {
  for (const server of endpoints) server.closeAllConnections();
  for (const server of endpoints) server.close();
  await prometheus?.close();
  await own?.close();
  await traces?.close();
});

/** A server that answers each request like this, or never. */
async function endpoint(take: (answer: (status: number) => void) => void): Promise<string> {
  const server = createServer((_request, response) => take((status) => response.writeHead(status).end()));
  endpoints.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function demo(): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'test/demo/main.ts')], {
    cwd: root,
    env: childEnv({ GP_DATA_DIR: own.dataDir }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the demo ended with ${String(code)}:\n${said}`);
}

it('every query of a panel returned a value while the platform ran', async () => {
  const empty: string[] = [];
  for (const { where, expr } of questions) {
    const found = await prometheus.ask(asked(expr, WHOLE_LIFE), started);
    if (!found.some(({ values }) => values.some(([, value]) => value !== 'NaN')))
      empty.push(`${where}: ${expr}`);
  }
  expect(questions.length).toBeGreaterThan(40);
  expect(empty).toEqual([]);
});

it('every metric that a panel or an alert names was exported', async () => {
  const seen = new Set(await prometheus.names());
  const named = [...questions, ...rules].flatMap(({ expr }) => metricsIn(expr));
  expect([...new Set(named)].filter((name) => !seen.has(name))).toEqual([]);
});

it('Prometheus evaluates every alert and recorded series, and no alert fires after a day without faults', async () => {
  const states = await prometheus.rules();
  const alerts = states.filter(({ type }) => type === 'alerting');
  expect(alerts.map(({ name }) => name).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  expect(states.filter(({ health }) => health !== 'ok')).toEqual([]);
  const firing = await prometheus.ask('ALERTS{alertstate="firing"}', started);
  expect(firing.map(({ metric }) => metric['alertname'])).toEqual([]);
});

it('each process exports the metrics that the page of metrics lists for it, and no others of ours', async () => {
  const declared = declaredMetrics();
  for (const [service, { metrics }] of Object.entries(own.stack.services)) {
    const page = await (await fetch(metrics)).text();
    const exported = [...page.matchAll(/^# HELP (gp_\w+) /gm)].map(([, name]) => name);
    const expected = declared.filter(({ services }) => services.includes(service)).map(({ name }) => name);
    expect([service, exported.toSorted()]).toEqual([service, expected.toSorted()]);
  }
});
