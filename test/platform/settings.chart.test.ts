import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@gp/config';
import { toProcessName, pspCodes } from '@gp/gateway-registry';
import { services } from '@gp/stack';
import { render, type Manifest } from './helm.ts';
import { listDeployments, readEnvironment, listPods, type Deployed } from './pods.ts';
import { loadConfiguration, processes, root, loadSettings, taskConfigurations } from './processes.ts';

/** Read by the database driver, not by us: so that no address holds a password. */
const DRIVER = ['PGPASSWORD'];
const names = Object.keys(processes);

let live: Readonly<Record<string, Deployed>>;
let dev: Readonly<Record<string, Deployed>>;
let objects: Manifest[];
beforeAll(async () => {
  objects = await render({ example: 'dev' });
  dev = listDeployments(objects);
  live = listDeployments(await render({ example: 'production' }));
});

const deployed = (name: string): Deployed[] => [dev[name], live[name]].flatMap((one) => one ?? []);

describe('the chart and the programs it starts', () => {
  it('the chart has every process of the platform, its schema and its migrations', () => {
    const told = Object.fromEntries(
      services.map(({ name, folder, schema, migrations }) => [name, { folder, schema, migrations }]),
    );
    const known = Object.fromEntries(
      Object.entries(processes).map(([name, { folder, schema, migrations }]) => [
        name,
        { folder, schema, migrations },
      ]),
    );
    expect(known).toEqual(told);
  });

  it.each(names)('%s is started from its entry point, which exists in the source', (name) => {
    for (const { container } of deployed(name)) {
      const entry = container.args.at(-1)!;
      expect(entry).toBe(`${processes[name]!.folder}/src/main.js`);
      expect(readFileSync(join(root, entry.replace(/\.js$/, '.ts')), 'utf8')).not.toBe('');
    }
  });

  it.each(names)(
    '%s gets no setting it does not have, and its own configuration accepts those it gets',
    async (name) => {
      const { folder } = processes[name]!;
      const known = await loadSettings(folder);
      const schema = await loadConfiguration(folder);
      expect(deployed(name).length).toBeGreaterThan(0);
      for (const { container } of deployed(name)) {
        const env = readEnvironment(container);
        const strangers = Object.keys(env).filter(
          (setting) => !known.has(setting) && !DRIVER.includes(setting),
        );
        expect(strangers).toEqual([]);
        expect(() => readConfig(schema, env)).not.toThrow();
      }
    },
  );

  it.each(names)('%s gets every setting it requires, without an optional secret', async (name) => {
    const required = [...(await loadSettings(processes[name]!.folder))].flatMap(([setting, field]) =>
      field.isRequired ? [setting] : [],
    );
    for (const { container } of deployed(name)) {
      const sure = container.env.filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional !== true);
      expect(sure.map((one) => one.name)).toEqual(expect.arrayContaining(required));
    }
  });

  it.each(names)('%s has each of its secrets from a secret', async (name) => {
    const known = await loadSettings(processes[name]!.folder);
    const secrets = [...known].flatMap(([setting, field]) => (field.isSecret ? [setting] : []));
    for (const { container } of deployed(name))
      for (const { name: setting, value } of container.env)
        if (secrets.includes(setting) || DRIVER.includes(setting))
          expect([setting, value]).toEqual([setting, undefined]);
  });

  it('each process that seals gets an encryption key that no other one gets (Y1)', async () => {
    const refs = Object.entries(dev).flatMap(([name, { container }]) =>
      container.env
        .filter((one) => one.name === 'ENCRYPTION_KEY' || one.name === 'PREVIOUS_ENCRYPTION_KEYS')
        .map(({ name: setting, valueFrom }) => [name, setting, valueFrom?.secretKeyRef.key]),
    );
    const sealing = await Promise.all(
      names.map(async (name) => (await loadSettings(processes[name]!.folder)).has('ENCRYPTION_KEY') && name),
    );
    expect(sealing.filter(Boolean).length).toBeGreaterThan(5);
    expect(refs).toEqual(
      Object.keys(dev)
        .filter((name) => sealing.includes(name))
        .flatMap((name) => [
          [name, 'ENCRYPTION_KEY', `encryption-key-${name}`],
          [name, 'PREVIOUS_ENCRYPTION_KEYS', `previous-encryption-keys-${name}`],
        ]),
    );
  });

  it('each process gets headers for the collector from the secret that the values name, and the variables of OpenTelemetry that they set (Q44)', async () => {
    const attributes = 'deployment.environment.name=production';
    const values = {
      telemetry: { headersSecret: 'collector' },
      defaults: { settings: { OTEL_RESOURCE_ATTRIBUTES: attributes } },
    };
    const installed = listDeployments(await render({ example: 'production', values }));
    expect(Object.keys(installed)).toEqual(Object.keys(live));
    const secretKeyRef = { name: 'collector', key: 'otlp-headers' };
    for (const { container } of Object.values(installed)) {
      expect(container.env).toContainEqual({
        name: 'OTEL_EXPORTER_OTLP_HEADERS',
        valueFrom: { secretKeyRef },
      });
      expect(container.env).toContainEqual({ name: 'OTEL_RESOURCE_ATTRIBUTES', value: attributes });
    }
  });

  it.each(names)('%s listens where its ports and probes say, on all addresses', (name) => {
    for (const { container } of deployed(name)) {
      const env = readEnvironment(container);
      const ports = Object.fromEntries(
        (container.ports ?? []).map((port) => [port.name, port.containerPort]),
      );
      const { metrics, ...own } = ports;
      expect([env['METRICS_HOST'], env['METRICS_PORT']]).toEqual(['0.0.0.0', String(metrics)]);
      for (const [port, { number, setting }] of Object.entries(processes[name]!.ports ?? {})) {
        expect(own[port]).toBe(number);
        expect([env['HOST'], env[setting]]).toEqual(['0.0.0.0', String(number)]);
      }
      const paths = [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
        (probe) => probe?.httpGet,
      );
      expect(paths).toEqual(['/startupz', '/readyz', '/livez'].map((path) => ({ path, port: 'metrics' })));
    }
  });

  it('a setting of the values reaches the process and overrides the chart’s own', async () => {
    const values = {
      defaults: { settings: { LOG_LEVEL: 'warn' } },
      services: {
        'webhook-dispatcher': { settings: { MAX_IN_FLIGHT: 1_000_000 / 1_000, LOG_LEVEL: 'debug' } },
        'api-gateway': { settings: { TRUSTED_PROXIES: '10.0.0.0/8', RATE_LIMIT_LIVE_PER_SECOND: 1_000_000 } },
      },
    };
    const given = listDeployments(await render({ values }));
    expect(readEnvironment(given['webhook-dispatcher']!.container)).toMatchObject({
      MAX_IN_FLIGHT: '1000',
      LOG_LEVEL: 'debug',
    });
    expect(readEnvironment(given['api-gateway']!.container)).toMatchObject({
      TRUSTED_PROXIES: '10.0.0.0/8',
      RATE_LIMIT_LIVE_PER_SECOND: '1000000',
      LOG_LEVEL: 'warn',
    });
  });

  it('a longer work of the values is longer for the process and for the pod’s grace', async () => {
    const values = { services: { refund: { shutdown: { longestWorkSeconds: 90 } } } };
    const { container, spec } = listDeployments(await render({ values }))['refund']!;
    expect(readEnvironment(container)['SHUTDOWN_SECONDS']).toBe('90');
    expect(spec.terminationGracePeriodSeconds).toBe(5 + 90 + 5);
  });

  it('the sandbox replaces the gateways’ test environments and none of the live ones', () => {
    for (const name of pspCodes.map(toProcessName)) {
      expect(readEnvironment(dev[name]!.container)['GATEWAY_TEST_URL']).toContain('-psp-sandbox:');
      expect(Object.keys(readEnvironment(live[name]!.container))).not.toContain('GATEWAY_TEST_URL');
      expect(JSON.stringify(dev[name]!.container.env)).not.toContain('_LIVE_');
    }
  });
});

describe('the tasks of an installation', () => {
  it('the tasks of an installation get every setting they require, none they do not have, and start files that exist', async () => {
    const tasks = listPods(objects).filter(({ object }) => object.kind === 'Job' || object.kind === 'Pod');
    expect(tasks.length).toBe(names.length + 2);
    const known = await taskConfigurations();
    for (const { spec } of tasks) {
      const container = spec.containers[0]!;
      const entry = /^services\/installation\/src\/(.+)\.js$/.exec(container.args[0]!)?.[1] ?? '';
      readFileSync(join(root, `services/installation/src/${entry}.ts`));
      const schema = known[entry]!;
      expect(() => readConfig(schema, { ...readEnvironment(container), ...urls(container) })).not.toThrow();
      const read = Object.keys(schema.shape).length;
      expect(container.env.length).toBeLessThanOrEqual(read);
    }
  });
});

/** An address from a secret is no 32 bytes. */
function urls({ env }: Deployed['container']): Record<string, string> {
  const secret = env.filter(({ name, valueFrom }) => valueFrom && name.endsWith('_URL'));
  return Object.fromEntries(secret.map(({ name }) => [name, 'postgres://admin@db/gp']));
}
