import { beforeAll, describe, expect, it } from '@jest/globals';
import { openCluster } from './api-server.ts';
import { ask, render, type Manifest, type Values } from './helm.ts';
import { findPod, listPods } from './pods.ts';
import { fillSecrets, listReferences, listRequired, toLive, type Secrets } from './required.ts';

const telemetry = {
  otlpEndpoint: 'https://collector.monitoring.svc',
  headersSecret: 'collector',
  caSecret: 'collector-ca',
  clientSecret: 'collector-client',
};
const others = {
  telemetry,
  kms: { url: 'https://openbao.vaults.svc:8200', caSecret: 'openbao-ca' },
  trust: { caSecret: 'proxy-ca' },
  postgres: { caSecret: 'postgres-ca' },
};
const names = {
  postgres: { checkout: 'payments-checkout/password', 'admin-url': 'uri', 'ca.crt': 'root.crt' },
  nats: { checkout: 'checkout.nk', installation: 'tasks/seed', 'ca.crt': 'nats-authority/tls.crt' },
  keys: { 'encryption-key-checkout': 'checkout-keys/current', 'api-key-pepper': 'pepper' },
  telemetry: { 'otlp-headers': 'token', 'tls.crt': 'client.crt' },
  kms: { 'ca.crt': 'bao.crt' },
  trust: { 'ca.crt': 'bundle.pem' },
};
const renamed = Object.fromEntries(
  Object.entries(names).map(([part, keyNames]) => [
    part,
    { ...(others as Record<string, object>)[part], keyNames },
  ]),
);
/** Where the chart looks for a key with these names, by where it looks without them. */
const moved: Readonly<Record<string, string>> = {
  'group-payments-postgres/checkout': 'payments-checkout/password',
  'group-payments-postgres-admin/admin-url': 'group-payments-postgres-admin/uri',
  'postgres-ca/ca.crt': 'postgres-ca/root.crt',
  'group-payments-nats/checkout': 'group-payments-nats/checkout.nk',
  'group-payments-nats/installation': 'tasks/seed',
  'group-payments-nats/ca.crt': 'nats-authority/tls.crt',
  'group-payments-keys/encryption-key-checkout': 'checkout-keys/current',
  'group-payments-keys/api-key-pepper': 'group-payments-keys/pepper',
  'collector/otlp-headers': 'collector/token',
  'collector-client/tls.crt': 'collector-client/client.crt',
  'openbao-ca/ca.crt': 'openbao-ca/bao.crt',
  'proxy-ca/ca.crt': 'proxy-ca/bundle.pem',
};

const askWith = async (secrets: Secrets, values: Values) => {
  const cluster = await openCluster(toLive(secrets));
  try {
    return await ask('template', { values, kubeconfig: cluster.kubeconfig });
  } finally {
    await cluster.close();
  }
};

describe('other names of keys', () => {
  let plain: Manifest[];
  let objects: Manifest[];
  beforeAll(async () => {
    [plain, objects] = await Promise.all([render({ values: others }), render({ values: renamed })]);
  });

  it('each variable and file comes from the key that the values name, in that secret, and all others from where they were', () => {
    const list = (all: readonly Manifest[], move: (place: string) => string) =>
      listPods(all).map(({ name, spec }) => [
        name,
        listReferences(spec).map((ref) => [ref.as, move(`${ref.name}/${ref.key}`)]),
      ]);
    const used = new Set<string>();
    const wanted = list(plain, (place) => {
      used.add(place);
      return moved[place] ?? place;
    });
    expect(list(objects, (place) => place)).toEqual(wanted);
    expect(Object.keys(moved).filter((place) => !used.has(place))).toEqual([]);
  });

  it('the check before an upgrade looks for the keys by these names', async () => {
    const { code, errors } = await askWith(fillSecrets(listRequired(objects)), renamed);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { errors: faults } = await askWith(fillSecrets(listRequired(plain)), renamed);
    for (const sentence of [
      'the secret payments-checkout does not exist; its keys are password',
      'the secret group-payments-keys lacks pepper',
      'the secret tasks does not exist; its keys are seed',
      'the secret proxy-ca lacks bundle.pem',
    ])
      expect(faults).toContain(`- ${sentence}\n`);
  });

  it('the Job that makes secrets makes each key under its name, of what its name in the chart says, and none of another secret', async () => {
    const values = {
      generateSecrets: { enabled: true },
      sandbox: { enabled: true },
      hosts: { sandbox: 'sandbox.pay.example.com' },
      mail: { url: 'smtp://relay.mail.svc', from: 'pay@example.com', user: 'pay' },
      postgres: { keyNames: { refund: 'refund-password' } },
      keys: {
        keyNames: {
          'api-key-pepper': 'pepper',
          'mail-password': 'smtp',
          'sandbox-control-token': 'control',
          'encryption-key-checkout': 'checkout-keys/current',
        },
      },
    };
    const job = (await render({ values })).find(
      ({ kind, metadata }) => kind === 'Job' && metadata.name.endsWith('-secrets'),
    );
    const plan = JSON.parse(
      findPod(job!)!.spec.containers[0]!.env.find(({ name }) => name === 'PLAN')!.value!,
    ) as Record<string, Record<string, string>>;
    expect(Object.keys(plan)).toEqual(['group-payments-keys', 'group-payments-postgres']);
    expect(plan['group-payments-keys']).toMatchObject({ pepper: 'key', control: 'password' });
    expect(Object.keys(plan['group-payments-keys']!)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/smtp|mail|checkout|current/)]),
    );
    expect(plan['group-payments-postgres']).toMatchObject({ 'refund-password': 'password' });
    expect(plan['group-payments-postgres']).not.toHaveProperty('refund');
  });

  it.each([
    [
      'a key that the chart does not know',
      { keys: { keyNames: { 'encryption-key': 'x' } } },
      /'encryption-key' not allowed/,
    ],
    [
      'another secret for a file whose secret has a value',
      { kms: { keyNames: { 'ca.crt': 'a/b' } } },
      /\/kms\/keyNames/,
    ],
    [
      'a name that no key can have',
      { keys: { keyNames: { 'api-key-pepper': 'a/b/c' } } },
      /\/keys\/keyNames/,
    ],
  ])('%s is refused', async (_title, values, sentence) => {
    expect((await ask('template', { values })).errors).toMatch(sentence);
  });

  it('trial servers, whose secrets are made, have no other names', async () => {
    const values = { nats: { keyNames: { checkout: 'x' } } };
    const { errors } = await ask('template', { example: 'quickstart', values });
    expect(errors).toContain('leave out `postgres.keyNames`, `nats.keyNames` and `keys.keyNames`');
  });
});

describe('secrets and ConfigMaps that only the values name', () => {
  const values = {
    defaults: { extraEnvFrom: [{ secretRef: { name: 'whole' } }] },
    services: {
      refund: {
        extraEnv: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'own', key: 'a' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'tuning', key: 'b' } } },
          { name: 'C', valueFrom: { secretKeyRef: { name: 'perhaps', key: 'c', optional: true } } },
          { name: 'D', valueFrom: { secretKeyRef: { name: 'group-payments-keys', key: 'd' } } },
        ],
      },
    },
  };

  it('they are missed before an upgrade like those of the chart, unless they are optional, and are not made', async () => {
    const secrets = fillSecrets(listRequired(await render()));
    const { errors } = await askWith(secrets, { ...values, generateSecrets: { enabled: true } });
    for (const sentence of [
      'the secret own does not exist; its keys are a',
      'the ConfigMap tuning does not exist; its keys are b',
      'the secret whole does not exist',
      'the secret group-payments-keys lacks d',
    ])
      expect(errors).toContain(`- ${sentence}\n`);
    expect(errors).not.toContain('perhaps');
  });
});
