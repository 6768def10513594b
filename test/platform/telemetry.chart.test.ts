import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, type Manifest } from './helm.ts';
import { listDeployments, listPods, readEnvironment } from './pods.ts';

const secrets = { caSecret: 'collector-ca', clientSecret: 'collector-client' };
const telemetry = { otlpEndpoint: 'https://collector.monitoring.svc', ...secrets };

type Volume = { readonly name: string; readonly secret?: unknown };

describe('a collector with TLS in the chart', () => {
  let objects: Manifest[];
  beforeAll(async () => {
    objects = await render({ example: 'production', values: { telemetry } });
  });

  it('each process reads the authority of the collector and its own certificate from files of the secrets (Q53)', () => {
    const deployments = Object.values(listDeployments(objects));
    expect(deployments.length).toBeGreaterThan(5);
    const items = (...keys: string[]) => keys.map((key) => ({ key, path: key }));
    for (const { spec, container } of deployments) {
      expect(readEnvironment(container)).toMatchObject({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.monitoring.svc',
        OTEL_EXPORTER_OTLP_CERTIFICATE: '/etc/otlp-ca/ca.crt',
        OTEL_EXPORTER_OTLP_CLIENT_KEY: '/etc/otlp-client/tls.key',
        OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: '/etc/otlp-client/tls.crt',
      });
      const volumes = (spec['volumes'] as Volume[]).filter(({ name }) => name.startsWith('otlp'));
      expect(volumes).toEqual([
        { name: 'otlp-ca', secret: { secretName: 'collector-ca', items: items('ca.crt') } },
        {
          name: 'otlp-client',
          secret: { secretName: 'collector-client', items: items('tls.crt', 'tls.key') },
        },
      ]);
      const mounts = container.volumeMounts?.filter(({ name }) => name.startsWith('otlp'));
      expect(mounts).toEqual(
        ['otlp-ca', 'otlp-client'].map((name) => ({ name, mountPath: `/etc/${name}`, readOnly: true })),
      );
    }
  });

  it('tasks, which send no traces, have none of these files, and without the values no process has (Q53)', async () => {
    const tasks = listPods(objects).filter(({ object }) => object.kind !== 'Deployment');
    expect(tasks.length).toBeGreaterThan(0);
    expect(JSON.stringify(tasks.map(({ spec }) => spec))).not.toMatch(/otlp|OTLP/);
    const plain = await render({ example: 'production' });
    expect(JSON.stringify(listPods(plain))).not.toMatch(/otlp-(ca|client)|OTLP_(CLIENT_)?CERTIFICATE/);
  });

  it('the network policies open the port of https where the address names none (Q53)', () => {
    const rule = {
      to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      ports: [{ protocol: 'TCP', port: 443 }],
    };
    const open = objects.filter(
      ({ kind, spec }) =>
        kind === 'NetworkPolicy' && JSON.stringify(spec?.['egress'] ?? []).includes(JSON.stringify(rule)),
    );
    expect(open).toHaveLength(Object.keys(listDeployments(objects)).length);
  });
});
