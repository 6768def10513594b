import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { parse } from 'yaml';
import { generated } from './generated.ts';
import { ask, render, type Manifest } from './helm.ts';
import { schemaFaults, unknownFields } from './kubernetes.ts';
import { matrix } from './matrix.ts';
import { listPods } from './pods.ts';
import { chart, processes, root } from './processes.ts';

const kinds = (objects: readonly Manifest[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
const without = (sandbox: boolean) =>
  Object.keys(processes).filter((name) => sandbox || !processes[name]?.isSandbox);

describe.each(matrix)('the chart with %s', (_title, installation) => {
  it('the chart passes helm’s own check', async () => {
    const { code, output, errors } = await ask('lint', installation);
    expect({ code, said: code === 0 ? '' : output + errors }).toEqual({ code: 0, said: '' });
  });

  it('the chart renders only objects that Kubernetes and the operators know, by their published schemas', async () => {
    const objects = await render(installation);
    expect(objects.length).toBeGreaterThan(30);
    expect(await schemaFaults(objects)).toEqual([]);
  });

  it('the chart gives every object a name of its own', async () => {
    const names = (await render(installation)).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });
});

it('no installation renders a field that Kubernetes and the operators do not know', async () => {
  const all = await Promise.all(matrix.map(([, installation]) => render(installation)));
  const distinct = new Map(all.flat().map((object) => [JSON.stringify(object), object]));
  expect(unknownFields([...distinct.values()])).toEqual([]);
}, 300_000);

describe('the checks of the tests', () => {
  it('the schema check of the tests finds a field of a wrong type, a missing one and an unknown one', async () => {
    const broken = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'broken' },
      spec: { selector: {}, replicas: 'two', template: { spec: { containers: [{ nme: 'x' }] } } },
    };
    expect((await schemaFaults([broken])).join()).toMatch(/replicas/);
    expect(unknownFields([broken]).join()).toMatch(/nme/);
  });
});

describe('what an installation consists of', () => {
  it('an installation has every process, and the sandbox only where it is requested', async () => {
    const named = (names: readonly string[]) => names.map((name) => `gp-group-payments-${name}`).toSorted();
    const live = await render();
    expect(kinds(live, 'Deployment').toSorted()).toEqual(named(without(false)));
    const dev = await render({ example: 'dev' });
    expect(kinds(dev, 'Deployment').toSorted()).toEqual(named(without(true)));
  });

  it('an installation migrates every schema and makes the streams before the release starts', async () => {
    const jobs = (await render()).filter(({ kind }) => kind === 'Job');
    expect(jobs).toHaveLength(without(false).length + 1);
    for (const { metadata } of jobs)
      expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  });

  it('an installation without hooks runs the migrations and the streams as plain Jobs', async () => {
    const jobs = (await render({ example: 'dev' })).filter(({ kind }) => kind === 'Job');
    expect(jobs.map(({ metadata }) => metadata.annotations)).toEqual(jobs.map(() => undefined));
  });

  it('an installation scales the dispatcher by its pools and CPU where KEDA exists, by CPU alone elsewhere, never by two scalers', async () => {
    const dispatcher = 'gp-group-payments-webhook-dispatcher';
    const [plain, keda] = await Promise.all([render(), render({ example: 'production' })]);
    expect(kinds(plain, 'HorizontalPodAutoscaler')).toContain(dispatcher);
    expect(kinds(plain, 'ScaledObject')).toEqual([]);
    expect(kinds(keda, 'HorizontalPodAutoscaler')).not.toContain(dispatcher);
    const [scaled] = keda.filter(({ kind }) => kind === 'ScaledObject');
    expect(JSON.stringify(scaled)).toMatch(/sum\(avg_over_time\(gp_webhook_pool_used_ratio.*"type":"cpu"/);
  });

  it('an installation leaves the number of replicas to the autoscaler that counts them', async () => {
    const objects = await render({ example: 'production' });
    const scaled = objects.flatMap(({ spec }) => {
      const target = spec?.['scaleTargetRef'] as { name: string } | undefined;
      return target ? [target.name] : [];
    });
    for (const { kind, metadata, spec } of objects)
      if (kind === 'Deployment')
        expect([metadata.name, 'replicas' in (spec ?? {})]).toEqual([
          metadata.name,
          !scaled.includes(metadata.name),
        ]);
  });

  it('an installation makes every public process reachable by ingress and by route, on the port it listens on', async () => {
    const objects = await render({ example: 'production', values: { ingress: { enabled: true } } });
    const text = (kind: string) => JSON.stringify(objects.filter((object) => object.kind === kind));
    const ports = new Map(
      objects
        .filter(({ kind }) => kind === 'Service')
        .map(({ metadata, spec }) => [metadata.name, spec?.['ports'] as { name: string; port: number }[]]),
    );
    for (const [name, { public: open, ports: listening }] of Object.entries(processes)) {
      if (!open || name === 'psp-sandbox') continue;
      const service = `gp-group-payments-${name}`;
      expect(ports.get(service)?.find((port) => port.name === 'http')?.port).toBe(
        listening?.['http']?.number,
      );
      for (const path of open.paths) {
        expect(text('Ingress')).toContain(
          `{"path":"${path}","pathType":"Prefix","backend":{"service":{"name":"${service}"`,
        );
        expect(text('HTTPRoute')).toContain(`"value":"${path}"`);
      }
      expect(text('HTTPRoute')).toContain(`{"name":"${service}","port":${listening?.['http']?.number}}`);
    }
  });
});

describe('monitoring', () => {
  const carried = (folder: string) => readdirSync(join(chart, folder)).toSorted();

  it('monitoring scrapes every pod by its management port, and keeps the label that names the process', async () => {
    const objects = await render({ example: 'production' });
    const [monitor] = objects.filter(({ kind }) => kind === 'PodMonitor');
    const { selector, podMetricsEndpoints: ends } = monitor?.spec as {
      selector: { matchLabels: Record<string, string> };
      podMetricsEndpoints: { port: string; path: string; honorLabels: boolean }[];
    };
    expect(ends).toEqual([expect.objectContaining({ port: 'metrics', path: '/metrics', honorLabels: true })]);
    const running = listPods(objects).filter(({ object }) => object.kind === 'Deployment');
    expect(running.length).toBe(without(false).length);
    for (const { labels, spec } of running) {
      expect(labels).toMatchObject(selector.matchLabels);
      expect(spec.containers[0]?.ports?.map(({ name }) => name)).toContain('metrics');
    }
  });

  it('monitoring contains every alert in the form the operator reads', async () => {
    const made = (await render({ example: 'production' })).filter(({ kind }) => kind === 'PrometheusRule');
    const wanted = carried('alerts').map(
      (file) => parse(readFileSync(join(chart, 'alerts', file), 'utf8')) as unknown,
    );
    expect(made.map(({ spec }) => spec)).toEqual(wanted);
  });

  it('monitoring links every alert and panel to the runbooks at the address of the installation', async () => {
    const runbooks = 'https://wiki.example/payments';
    const objects = await render({ example: 'production', values: { monitoring: { runbooks } } });
    const text = JSON.stringify(
      objects.filter(
        ({ kind, metadata }) => kind === 'PrometheusRule' || metadata.labels?.['grafana_dashboard'],
      ),
    );
    expect(text).toContain(`${runbooks}/services/group-ledger/README.md#captures-are-slow`);
    expect(text).not.toContain('github.com/group-payments');
  });

  it('monitoring contains every dashboard where Grafana’s sidecar and a developer’s Grafana look for it', async () => {
    const [production, dev] = await Promise.all([
      render({ example: 'production' }),
      render({ example: 'dev' }),
    ]);
    const maps = (objects: readonly Manifest[]) =>
      objects.filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1');
    const files = maps(production).flatMap(({ data }) => Object.entries(data ?? {}));
    expect(files.map(([file]) => file).toSorted()).toEqual(carried('dashboards'));
    for (const [, text] of files) expect(JSON.parse(text)).toMatchObject({ tags: ['group-payments'] });
    const mounted = readFileSync(join(root, 'k8s/dev/monitoring.yaml'), 'utf8');
    for (const { metadata } of maps(dev))
      expect(mounted).toContain(`name: ${metadata.name.replace('gp-', '')},`);
  });
});

describe('files of the chart that are generated', () => {
  it('a schema of today’s settings refuses unknown values', async () => {
    expect(await staleFiles(await generated())).toEqual([]);
  });
});
