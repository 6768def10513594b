import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '@gp/config';
import { parseManifests, render, type Manifest } from './helm.ts';
import { schemaFaults, unknownFields } from './kubernetes.ts';
import { listDeployments, listPods } from './pods.ts';
import { loadConfiguration, processes, root } from './processes.ts';

const folder = join(root, 'k8s/dev');
const dev: Manifest[] = readdirSync(folder).flatMap((file) =>
  parseManifests(readFileSync(join(folder, file), 'utf8')),
);
const secrets = new Map(
  dev
    .filter(({ kind }) => kind === 'Secret')
    .map((object) => [
      object.metadata.name,
      (object as unknown as { stringData: Record<string, string> }).stringData,
    ]),
);

describe('the servers of a developer’s cluster', () => {
  it('the servers of a developer’s cluster are objects that Kubernetes knows', async () => {
    expect(await schemaFaults(dev)).toEqual([]);
    expect(unknownFields(dev)).toEqual([]);
  });

  it('the servers of a developer’s cluster have the addresses that the developer values name', async () => {
    const services = new Map(
      dev
        .filter(({ kind }) => kind === 'Service')
        .map(({ metadata, spec }) => [
          metadata.name,
          (spec?.['ports'] as { port: number }[]).map(({ port }) => port),
        ]),
    );
    const { container } = listDeployments(await render({ example: 'dev' }))['group-ledger']!;
    const env = Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value]));
    for (const setting of ['DATABASE_URL', 'NATS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
      const { hostname, port } = new URL(env[setting]!);
      expect([hostname, services.get(hostname)]).toEqual([hostname, expect.arrayContaining([Number(port)])]);
    }
  });

  it('the developer’s secrets include every secret that the installation requires, and each service accepts them', async () => {
    const objects = await render({ example: 'dev' });
    for (const { name, spec } of listPods(objects))
      for (const { valueFrom } of spec.containers.flatMap(({ env }) => env)) {
        const ref = valueFrom?.secretKeyRef;
        if (ref && ref.optional !== true)
          expect([name, ref.key, secrets.get(ref.name)?.[ref.key]?.length]).not.toContain(undefined);
      }
    for (const [name, { container }] of Object.entries(listDeployments(objects))) {
      const env = container.env.map(({ name: setting, value, valueFrom }) => [
        setting,
        value ?? secrets.get(valueFrom!.secretKeyRef.name)?.[valueFrom!.secretKeyRef.key],
      ]);
      const schema = await loadConfiguration(processes[name]!.folder);
      expect(() => readConfig(schema, Object.fromEntries(env) as NodeJS.ProcessEnv)).not.toThrow();
    }
  });
});
