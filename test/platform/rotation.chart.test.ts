import { describe, expect, it } from '@jest/globals';
import { openCluster, type LiveObject } from './api-server.ts';
import { render, type Values } from './helm.ts';
import { findPod, listDeployments } from './pods.ts';
import { fillSecrets, listRequired, toLive } from './required.ts';

type Cluster = {
  readonly values?: Values;
  /** The metadata of the object that has changed. */
  readonly changed?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly more?: readonly LiveObject[];
  readonly text?: string;
};

const version = { uid: 'a', resourceVersion: '1' };
const trust = { apiVersion: 'v1', kind: 'ConfigMap', data: { 'ca.crt': 'a certificate' } };

/** The annotation of each process' pods on a cluster where every secret is there, and one may have changed. */
async function annotate({ values = {}, changed = {}, more = [], text }: Cluster = {}) {
  const filled = fillSecrets(listRequired(await render({ values })));
  const secrets = new Map(
    [...filled].map(([name, keys]) => [
      name,
      text === undefined ? keys : Object.fromEntries(Object.keys(keys).map((key) => [key, text])),
    ]),
  );
  const live = toLive(secrets, (name) => ({ ...version, ...changed[name] }));
  const cluster = await openCluster([...live, ...more]);
  try {
    const deployed = listDeployments(await render({ values, kubeconfig: cluster.kubeconfig }));
    const annotations = Object.entries(deployed).map(([name, { object }]): [string, string | undefined] => {
      const { template } = object.spec as {
        template: { metadata: { annotations?: Record<string, string> } };
      };
      return [name, template.metadata.annotations?.['checksum/secrets']];
    });
    return { deployed, annotations: Object.fromEntries(annotations) };
  } finally {
    await cluster.close();
  }
}

/** The processes that an upgrade restarts after a change. */
async function listRestarted(before: Cluster, after: Cluster): Promise<string[]> {
  const [{ annotations }, changed] = [await annotate(before), await annotate(after)];
  return Object.keys(annotations).filter((name) => annotations[name] !== changed.annotations[name]);
}

describe('pods after the rotation of a secret', () => {
  it('an upgrade restarts each process that reads a changed secret, and no other one', async () => {
    const { deployed, annotations } = await annotate();
    for (const text of Object.values(annotations)) expect(text).toMatch(/^[0-9a-f]{64}$/);
    for (const secret of [
      'group-payments-keys',
      'group-payments-postgres',
      'group-payments-postgres-admin',
    ]) {
      const reading = Object.entries(deployed).filter(([, { object }]) =>
        findPod(object)!.spec.containers[0]!.env.some(
          ({ valueFrom }) => valueFrom?.secretKeyRef.name === secret,
        ),
      );
      const restarted = await listRestarted({}, { changed: { [secret]: { resourceVersion: '2' } } });
      expect([secret, restarted]).toEqual([secret, reading.map(([name]) => name)]);
    }
    const { 'group-ledger': ledger, checkout } = annotations;
    expect(ledger).not.toBe(checkout);
  });

  it('a process with a secret of its own is restarted by itself', async () => {
    const keyNames = { 'encryption-key-checkout': 'checkout-keys/current' };
    const values = { keys: { keyNames } };
    const changed = { 'checkout-keys': { uid: 'b' } };
    expect(await listRestarted({ values }, { values, changed })).toEqual(['checkout']);
  });

  it('secrets that only the values name count, in variables and in containers beside the service', async () => {
    const key = (name: string) => ({ name: 'KEY', valueFrom: { secretKeyRef: { name, key: 'key' } } });
    const beside = { name: 'tunnel', image: 'example.com/tunnel:1' };
    const values = {
      services: {
        refund: { extraEnv: [key('own')] },
        scheduler: { extraContainers: [{ ...beside, envFrom: [{ secretRef: { name: 'own' } }] }] },
      },
    };
    const changed = { own: { resourceVersion: '2' } };
    expect(await listRestarted({ values }, { values, changed })).toEqual(['refund', 'scheduler']);
  });

  it('new authorities to trust, which Node reads once, restart every process', async () => {
    const values = { trust: { caConfigMap: 'bundle' } };
    const bundle = (resourceVersion: string) => [
      { ...trust, metadata: { name: 'bundle', uid: 'c', resourceVersion } },
    ];
    const restarted = await listRestarted({ values, more: bundle('1') }, { values, more: bundle('2') });
    expect(restarted.length).toBeGreaterThan(8);
    expect(await listRestarted({ values, more: bundle('1') }, { values, more: bundle('1') })).toEqual([]);
  });

  it('the annotation is made of versions, so that nothing of a secret can be guessed from it', async () => {
    const [one, other] = [await annotate({ text: 'b25l' }), await annotate({ text: 'b3RoZXI=' })];
    expect(one.annotations).toEqual(other.annotations);
  });

  it('without a cluster, without the check and without a secret there is no annotation', async () => {
    const text = JSON.stringify(await render());
    expect(text).not.toContain('checksum/secrets');
    const { annotations } = await annotate({ values: { checkSecrets: false } });
    expect(Object.values(annotations).filter((one) => one !== undefined)).toEqual([]);
    const cluster = await openCluster([]);
    try {
      const store = { name: 'vault' };
      const remote = { postgres: 'a', postgresAdmin: 'b', keys: 'c', nats: 'd' };
      const values = { externalSecrets: { enabled: true, store, remote } };
      const objects = await render({ values, kubeconfig: cluster.kubeconfig });
      expect(JSON.stringify(objects)).not.toContain('checksum/secrets');
    } finally {
      await cluster.close();
    }
  });

  it('an annotation of the values stays beside it', async () => {
    const values = { defaults: { podAnnotations: { team: 'payments' } } };
    const { deployed } = await annotate({ values });
    const { template } = deployed['refund']!.object.spec as { template: { metadata: object } };
    expect(template.metadata).toMatchObject({
      annotations: { team: 'payments', 'checksum/secrets': expect.any(String) },
    });
  });
});
