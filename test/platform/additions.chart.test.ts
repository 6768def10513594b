import { beforeAll, describe, expect, it } from '@jest/globals';
import { ask, render, type Manifest } from './helm.ts';
import { schemaFaults, unknownFields } from './kubernetes.ts';
import { listDeployments, listPods, type Deployed } from './pods.ts';

const region = { name: 'REGION', value: 'eu' };
const zone = { name: 'ZONE', valueFrom: { fieldRef: { fieldPath: "metadata.labels['zone']" } } };
const tuned = { configMapRef: { name: 'tuning' } };
const volume = { name: 'fonts', configMap: { name: 'fonts' } };
const mount = { name: 'fonts', mountPath: '/etc/fonts', readOnly: true };
const tunnel = { name: 'tunnel', image: 'example.com/tunnel:1', args: ['--port=5433'] };
const wait = { name: 'wait', image: 'example.com/wait:1' };
const role = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/payments' };

const additions = {
  extraEnv: [region, zone],
  extraEnvFrom: [tuned],
  extraVolumes: [volume],
  extraVolumeMounts: [mount],
  extraInitContainers: [wait],
};
const values = {
  defaults: {
    ...additions,
    extraContainers: [tunnel],
    hostAliases: [{ ip: '192.0.2.7', hostnames: ['db.internal'] }],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['192.0.2.53'] },
  },
  services: {
    checkout: {
      extraEnv: [{ name: 'REGION', value: 'us' }],
      extraContainers: [],
      serviceAccount: { annotations: role },
    },
  },
  migrations: { ...additions, serviceAccount: { annotations: role } },
};

let objects: Manifest[];
let pods: Readonly<Record<string, Deployed>>;
beforeAll(async () => {
  objects = await render({ values });
  pods = listDeployments(objects);
});
const listJobs = () => listPods(objects).filter(({ object }) => object.kind === 'Job');

describe('what the values add to a pod', () => {
  it('each service has the variables of `defaults`, or its own in their place, after those of the chart', () => {
    const added = Object.entries(pods).map(([name, { container }]) => [
      name,
      container.env.filter((one) => ['REGION', 'ZONE'].includes(one.name)),
    ]);
    expect(added).toEqual(
      Object.keys(pods).map((name) => [
        name,
        name === 'checkout' ? [{ name: 'REGION', value: 'us' }] : [region, zone],
      ]),
    );
    for (const { container } of Object.values(pods)) {
      expect(container.env.findIndex(({ name }) => name === 'REGION')).toBeGreaterThan(5);
      expect(container).toMatchObject({ envFrom: [tuned] });
    }
  });

  it('a service mounts its volumes and runs beside its containers and after those that come before it', () => {
    for (const [name, { spec, container }] of Object.entries(pods)) {
      expect([name, spec['volumes']]).toEqual([name, expect.arrayContaining([volume])]);
      expect([name, container.volumeMounts]).toEqual([name, expect.arrayContaining([mount])]);
      const beside = spec.containers.map((one) => one.name);
      expect([name, beside]).toEqual([name, name === 'checkout' ? ['service'] : ['service', 'tunnel']]);
      expect([name, spec.initContainers]).toEqual([name, [wait]]);
    }
  });

  it('tasks have what `migrations` adds, and what `defaults` says of names and servers of names', () => {
    expect(listJobs().length).toBeGreaterThan(10);
    for (const { name, spec } of listJobs()) {
      const [task] = spec.containers;
      expect([name, task!.env]).toEqual([name, expect.arrayContaining([region, zone])]);
      expect([name, task]).toMatchObject([name, { envFrom: [tuned] }]);
      expect([name, task!.volumeMounts]).toEqual([name, expect.arrayContaining([mount])]);
      expect([name, spec.initContainers]).toEqual([name, [wait]]);
    }
    const { hostAliases, dnsPolicy, dnsConfig } = values.defaults;
    for (const { name, spec } of listPods(objects))
      expect([name, spec]).toMatchObject([name, { hostAliases, dnsPolicy, dnsConfig }]);
  });

  it('the account of one process and that of the tasks have annotations, and a hook remains a hook', () => {
    const annotated = objects.filter(
      ({ kind, metadata }) =>
        kind === 'ServiceAccount' && 'eks.amazonaws.com/role-arn' in (metadata.annotations ?? {}),
    );
    expect(annotated.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      'gp-group-payments-checkout',
      'gp-group-payments-installation',
    ]);
    const account = annotated.find(({ metadata }) => metadata.name.endsWith('installation'));
    expect(account?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  });

  it('Kubernetes knows all that is added', async () => {
    expect(await schemaFaults(objects)).toEqual([]);
    expect(unknownFields(objects)).toEqual([]);
  });

  const add = (name: string) => ({ extraEnv: [{ name, value: 'x' }] });
  it.each([
    ['a port', { services: { checkout: add('PORT') } }, 'checkout has PORT'],
    ['a secret', { defaults: add('NATS_NKEY_SEED') }, 'api-gateway has NATS_NKEY_SEED'],
    [
      'a setting that the values have',
      { services: { refund: { ...add('LOG_LEVEL'), settings: { LOG_LEVEL: 'warn' } } } },
      'refund has LOG_LEVEL',
    ],
    [
      'a setting for development',
      { services: { 'webhook-dispatcher': add('ALLOW_LOOPBACK_WEBHOOKS') } },
      'webhook-dispatcher has ALLOW_LOOPBACK_WEBHOOKS',
    ],
    [
      'the authorities of `trust`',
      { trust: { caSecret: 'ca' }, services: { refund: add('NODE_EXTRA_CA_CERTS') } },
      'refund has NODE_EXTRA_CA_CERTS',
    ],
    ['what a task is told', { migrations: add('SCHEMA') }, 'migrations has SCHEMA'],
  ])('a variable that the chart sets is refused with its name: %s', async (_title, given, sentence) => {
    const { code, errors } = await ask('template', { values: given });
    expect(code).not.toBe(0);
    expect(errors).toContain(`\`extraEnv\` of ${sentence}, which the chart sets: it belongs in `);
  });

  it('a setting of the values is named as the place of a variable', async () => {
    const { errors } = await ask('template', { values: { services: { checkout: add('HOST') } } });
    expect(errors).toContain('it belongs in `services.checkout.settings`');
  });
});

describe('values of a service over those of all', () => {
  it('a service may say nothing, zero and false where all say something', async () => {
    const given = {
      defaults: { autoscaling: { enabled: true }, minReadySeconds: 9, nodeSelector: { pool: 'payments' } },
      services: {
        refund: { autoscaling: { enabled: false }, replicas: 0, minReadySeconds: 0 },
        'merchant-dashboard': { affinity: { nodeAffinity: {} } },
      },
    };
    const rendered = await render({ values: given });
    const { refund, checkout } = listDeployments(rendered);
    expect(refund!.object.spec).toMatchObject({ replicas: 0, minReadySeconds: 0 });
    expect(checkout!.object.spec).toMatchObject({ minReadySeconds: 9 });
    const scaled = rendered.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(scaled.map(({ metadata }) => metadata.name)).not.toContain('gp-group-payments-refund');
  });
});

describe('who pods run as', () => {
  const user = { runAsUser: null, runAsGroup: null, fsGroup: null };
  const safe = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  const listContexts = (rendered: readonly Manifest[]) =>
    listPods(rendered).map(({ name, spec }) => [name, spec.securityContext] as const);

  it('no pod of an installation and of its trial servers has a user where null takes it away, and each stays restricted', async () => {
    const bundled = { postgres: { podSecurityContext: user }, nats: { podSecurityContext: user } };
    const given = { defaults: { podSecurityContext: user }, bundled };
    for (const example of ['minimal', 'quickstart'])
      for (const [name, context] of listContexts(await render({ example, values: given })))
        expect([name, context]).toEqual([name, safe]);
  });

  it('one service has a user of its own, or none, and the others keep theirs', async () => {
    const given = {
      services: {
        checkout: { podSecurityContext: { runAsUser: 1_000_650_000 } },
        refund: { podSecurityContext: user, containerSecurityContext: { seccompProfile: null } },
      },
    };
    const rendered = await render({ values: given });
    const all = { ...safe, runAsUser: 65_532, runAsGroup: 65_532, fsGroup: 65_532 };
    for (const [name, context] of listContexts(rendered)) {
      const wanted =
        name.endsWith('-checkout') && name.startsWith('Deployment')
          ? { ...all, runAsUser: 1_000_650_000 }
          : all;
      expect([name, context]).toEqual([name, name === 'Deployment/gp-group-payments-refund' ? safe : wanted]);
    }
    expect(listDeployments(rendered)['refund']!.container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});
