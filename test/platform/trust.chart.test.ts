import { describe, expect, it } from '@jest/globals';
import { openCluster } from './api-server.ts';
import { ask, render } from './helm.ts';
import { listPods, type EnvVariable } from './pods.ts';
import { processes } from './processes.ts';
import { fillSecrets, listRequired, toLive } from './required.ts';

const own = {
  postgres: { caSecret: 'postgres-ca' },
  kms: { url: 'https://openbao.vaults.svc:8200', caSecret: 'openbao-ca' },
  telemetry: { otlpEndpoint: 'https://collector.monitoring.svc', caSecret: 'collector-ca' },
};
const trusted = { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/trust-ca/ca.crt' };
const pick = (env: readonly EnvVariable[], name: string) => env.find((one) => one.name === name);

describe('authorities that an installation trusts', () => {
  it.each([
    [
      'a secret',
      { caSecret: 'proxy-ca' },
      { secret: { secretName: 'proxy-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ],
    [
      'a ConfigMap',
      { caConfigMap: 'bundle', keyNames: { 'ca.crt': 'bundle.pem' } },
      { configMap: { name: 'bundle', items: [{ key: 'bundle.pem', path: 'ca.crt' }] } },
    ],
  ])('every process and task gives Node the certificates of %s', async (_title, trust, source) => {
    const calling = listPods(await render({ values: { trust } })).filter(
      ({ name }) => !name.endsWith('-smoke-test'),
    );
    expect(calling.length).toBeGreaterThan(20);
    for (const { name, spec } of calling) {
      expect([name, spec['volumes']]).toEqual([
        name,
        expect.arrayContaining([{ name: 'trust-ca', ...source }]),
      ]);
      const { env, volumeMounts } = spec.containers[0]!;
      expect([name, env]).toEqual([name, expect.arrayContaining([trusted])]);
      expect([name, volumeMounts]).toEqual([
        name,
        expect.arrayContaining([{ name: 'trust-ca', mountPath: '/etc/trust-ca', readOnly: true }]),
      ]);
    }
  });

  it('servers with an authority of their own keep its file beside them', async () => {
    const values = { ...own, trust: { caSecret: 'proxy-ca' } };
    const pods = listPods(await render({ values })).filter(({ object }) => object.kind === 'Deployment');
    for (const { name, spec, labels } of pods) {
      const { seals } = processes[labels['app.kubernetes.io/component']!]!;
      const { env, volumeMounts = [] } = spec.containers[0]!;
      expect([name, env]).toEqual([name, expect.arrayContaining([trusted])]);
      expect(pick(env, 'NATS_CA_FILE')?.value).toBe('/etc/nats-ca/ca.crt');
      expect(pick(env, 'DATABASE_URL')?.value).toContain('sslrootcert=/etc/postgres-ca/ca.crt');
      expect(pick(env, 'OTEL_EXPORTER_OTLP_CERTIFICATE')?.value).toBe('/etc/otlp-ca/ca.crt');
      expect(pick(env, 'KMS_CA_FILE')?.value).toBe(seals ? '/etc/kms-ca/ca.crt' : undefined);
      const files = volumeMounts.map(({ mountPath }) => mountPath).filter((path) => path.endsWith('-ca'));
      const wanted = ['nats', 'otlp', 'postgres', 'trust', ...(seals ? ['kms'] : [])];
      expect([name, files.toSorted()]).toEqual([name, wanted.map((one) => `/etc/${one}-ca`).toSorted()]);
    }
  });

  it('without the values Node trusts what it trusts by itself', async () => {
    const text = JSON.stringify(listPods(await render({ values: own })));
    expect(text).not.toMatch(/trust-ca|NODE_EXTRA_CA_CERTS/);
  });

  it('a secret and a ConfigMap at once are refused, since Node takes one file', async () => {
    const { errors } = await ask('template', { values: { trust: { caSecret: 'a', caConfigMap: 'b' } } });
    expect(errors).toContain('Say `trust.caSecret` or `trust.caConfigMap`');
  });

  it('a ConfigMap that is not there is missed before an upgrade', async () => {
    const cluster = await openCluster(toLive(fillSecrets(listRequired(await render()))));
    try {
      const values = { trust: { caConfigMap: 'bundle' } };
      const { errors } = await ask('template', { values, kubeconfig: cluster.kubeconfig });
      expect(errors).toContain('- the ConfigMap bundle does not exist; its keys are ca.crt\n');
    } finally {
      await cluster.close();
    }
  });
});
