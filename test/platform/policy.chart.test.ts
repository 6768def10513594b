import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, type Manifest } from './helm.ts';
import { matrix } from './matrix.ts';
import { listDeployments, listPods, readEnvironment } from './pods.ts';
import { processes } from './processes.ts';

type Rule = {
  readonly to?: readonly Peer[];
  readonly from?: readonly Peer[];
  readonly ports?: readonly unknown[];
};
type Peer = { readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] } };
type Policy = {
  readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
};

/** Who the trial servers run as, by their component; their images have these users. */
const SERVER_USERS: Readonly<Record<string, number>> = { postgres: 999, nats: 1000 };
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16'];

const listPolicies = (objects: readonly Manifest[]): Policy[] =>
  objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as Policy);
const selects = ({ podSelector }: Policy, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(podSelector.matchLabels).every(([key, value]) => labels[key] === value);

/** Settings that name a key and are none. */
const NAMES = new Set(['KMS_KEY', 'OTEL_EXPORTER_OTLP_CLIENT_KEY']);
/** What pods read of secrets as files: of that of NATS, which has all seeds, no more than the others. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'nats-ca': ['ca.crt'],
  'postgres-ca': ['ca.crt'],
  'kms-ca': ['ca.crt'],
  'otlp-ca': ['ca.crt'],
  'otlp-client': ['tls.crt', 'tls.key'],
  'trust-ca': ['ca.crt'],
};

describe.each(matrix)('every pod with %s', (_title, installation) => {
  let objects: Manifest[];
  beforeAll(async () => {
    objects = await render(installation);
  });

  it('every pod is restricted: no root, no capability, no escalation, no writable root file system, no cluster token', () => {
    for (const { name, spec, labels } of listPods(objects)) {
      const user = SERVER_USERS[labels['app.kubernetes.io/component']!] ?? 65532;
      expect([name, spec.automountServiceAccountToken]).toEqual([name, false]);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: user,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const forbidden of ['hostNetwork', 'hostPID', 'hostIPC'])
        expect(spec).not.toHaveProperty(forbidden);
      for (const volume of (spec['volumes'] ?? []) as { name: string; secret?: object }[])
        if (volume.secret !== undefined) {
          const items = (FILES[volume.name] ?? []).map((key) => ({ key, path: key }));
          const secret = { secretName: expect.any(String), items };
          expect([name, volume]).toEqual([name, { name: volume.name, secret }]);
        }
      for (const container of [...spec.containers, ...(spec.initContainers ?? [])])
        expect([name, container.securityContext]).toEqual([
          name,
          {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            runAsNonRoot: true,
            capabilities: { drop: ['ALL'] },
            seccompProfile: { type: 'RuntimeDefault' },
          },
        ]);
    }
  });

  it('every container requests CPU and memory, and has a memory limit and no CPU limit', () => {
    for (const { name, spec } of listPods(objects))
      for (const { resources } of spec.containers) {
        expect([name, Object.keys(resources.requests).toSorted()]).toEqual([name, ['cpu', 'memory']]);
        expect([name, Object.keys(resources.limits)]).toEqual([name, ['memory']]);
      }
  });

  it('every pod but the trial servers runs the one image, under an existing account, of which only the one that makes secrets has permissions', () => {
    const pods = listPods(objects);
    const ours = pods.filter(({ object }) => object.kind !== 'StatefulSet');
    const images = new Set(ours.flatMap(({ spec }) => spec.containers.map(({ image }) => image)));
    expect(images.size).toBe(1);
    const accounts = objects
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata }) => metadata.name);
    for (const { spec } of pods) expect(accounts).toContain(spec.serviceAccountName);
    const granted = objects.filter(({ kind }) => /Role|Binding/.test(kind));
    expect(granted.filter(({ metadata }) => !metadata.name.endsWith('-secrets'))).toEqual([]);
  });

  it('every pod has time to stop: the sleep, the longest work, which its process knows, and five seconds', () => {
    for (const { spec, container } of Object.values(listDeployments(objects))) {
      const sleep = container.lifecycle?.preStop.sleep.seconds ?? NaN;
      const work = Number(readEnvironment(container)['SHUTDOWN_SECONDS']);
      expect(work).toBe(25);
      expect(spec.terminationGracePeriodSeconds).toBe(sleep + work + 5);
    }
  });

  it('every deployment stops a rollout whose new pod does not stay ready', () => {
    for (const { object } of Object.values(listDeployments(objects)))
      expect(object.spec).toMatchObject({
        minReadySeconds: 5,
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
      });
  });

  it('every deployment is spread over zones and hosts, and never evicted as a whole when it has several replicas', () => {
    const budgets = objects
      .filter(({ kind }) => kind === 'PodDisruptionBudget')
      .map(({ metadata }) => metadata.name);
    for (const { object, spec } of Object.values(listDeployments(objects))) {
      const keys = spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
      expect(keys?.toSorted()).toEqual(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
      const { replicas } = object.spec as { replicas?: number };
      expect([object.metadata.name, budgets.includes(object.metadata.name)]).toEqual([
        object.metadata.name,
        replicas !== 1,
      ]);
    }
  });

  it('every pod reads secrets by reference only, and the release creates none', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const { spec } of listPods(objects))
      for (const { name, value } of spec.containers.flatMap(({ env }) => env))
        if (/KEY|PEPPER|PASSWORD|SECRET|TOKEN|ADMIN/.test(name) && !NAMES.has(name))
          expect([name, value]).toEqual([name, undefined]);
    expect(JSON.stringify(objects)).not.toMatch(/:\/\/[^/"@{]*:[^/"@{]*@/);
  });
});

const guarded = matrix.filter(([title]) => title !== 'development');
describe.each(guarded)('the network with %s', (_title, installation) => {
  let objects: Manifest[];
  beforeAll(async () => {
    objects = await render(installation);
  });

  it('the network is closed in both directions for every pod, and each pod has its own policy', () => {
    const policies = listPolicies(objects);
    for (const policy of policies) expect(policy.policyTypes).toEqual(['Ingress', 'Egress']);
    const deny = policies.filter(({ ingress, egress }) => !ingress && !egress);
    for (const { name, labels } of listPods(objects)) {
      expect([name, deny.some((policy) => selects(policy, labels))]).toEqual([name, true]);
      expect([name, policies.filter((policy) => selects(policy, labels)).length]).toEqual([name, 2]);
    }
  });

  it('the network policies name every peer and every port, inwards and outwards', () => {
    for (const { ingress = [], egress = [] } of listPolicies(objects)) {
      for (const rule of [...ingress, ...egress]) {
        expect(rule.ports?.length).toBeGreaterThan(0);
        expect((rule.to ?? rule.from)?.length).toBeGreaterThan(0);
        for (const peer of rule.to ?? rule.from ?? []) expect(Object.keys(peer).length).toBeGreaterThan(0);
      }
    }
  });

  it('the network policies let only the adapters and the dispatcher reach the internet, and no pod the cluster or the machines’ metadata', () => {
    for (const { labels } of listPods(objects)) {
      const component = labels['app.kubernetes.io/component']!;
      const blocks = listPolicies(objects)
        .filter((policy) => selects(policy, labels))
        .flatMap(({ egress = [] }) =>
          egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])),
        );
      const wide = blocks.filter(({ cidr }) => !/\/(32|128)$/.test(cidr) && !PRIVATE.includes(cidr));
      expect([component, wide.length > 0]).toEqual([component, processes[component]?.internet !== undefined]);
      for (const { cidr, except } of wide) {
        if (cidr === '2000::/3') continue;
        expect(cidr).toBe('0.0.0.0/0');
        expect(except).toEqual(
          expect.arrayContaining([
            '10.0.0.0/8',
            '172.16.0.0/12',
            '192.168.0.0/16',
            '169.254.0.0/16',
            '100.64.0.0/10',
            '127.0.0.0/8',
          ]),
        );
      }
    }
  });
});

describe('the addresses of the servers', () => {
  it.each([
    [
      'a service of the cluster',
      'postgres://db.data.svc.cluster.local/gp',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'data' } } },
      '5432',
    ],
    [
      'a neighbour',
      'postgres://db:6432/gp',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'payments' } } },
      '6432',
    ],
    ['an IP address', 'postgres://192.0.2.7/gp', { ipBlock: { cidr: '192.0.2.7/32' } }, '5432'],
  ])('%s is the peer that the policies name', async (_title, url, peer, port) => {
    const objects = await render({ values: { postgres: { url } } });
    const ledger = listPolicies(objects).find(
      (policy) => policy.podSelector.matchLabels['app.kubernetes.io/component'] === 'group-ledger',
    );
    expect(ledger?.egress).toContainEqual({ to: [peer], ports: [{ protocol: 'TCP', port: Number(port) }] });
  });

  it('behind a pooler, each process works through it, reaches the server beside it, and verifies both', async () => {
    const postgres = { poolerUrl: 'postgres://pooler.pools.svc:6432/payments', maxConnections: 0 };
    const objects = await render({ example: 'production', values: { postgres } });
    const tls = 'sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt';
    for (const [name, { container }] of Object.entries(listDeployments(objects))) {
      const env = Object.fromEntries(container.env.map((one) => [one.name, one.value]));
      const { schema } = processes[name]!;
      expect(env).toMatchObject({
        DATABASE_URL: `postgres://${schema}@pooler.pools.svc:6432/payments?${tls}`,
        DATABASE_DIRECT_URL: `postgres://${schema}@payments-rw.databases.svc:5432/payments?${tls}`,
      });
    }
    const inNamespace = (name: string) => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    });
    const ledger = listPolicies(objects).find(
      (policy) => policy.podSelector.matchLabels['app.kubernetes.io/component'] === 'group-ledger',
    );
    expect(ledger?.egress).toContainEqual({
      to: ['databases', 'pools'].map(inNamespace),
      ports: [5432, 6432].map((port) => ({ protocol: 'TCP', port })),
    });
  });

  it('each process enters the database with its own role, and knows the password that a rotation brings', async () => {
    for (const [name, { container }] of Object.entries(
      listDeployments(await render({ example: 'production' })),
    )) {
      const env = Object.fromEntries(container.env.map((one) => [one.name, one]));
      const { schema } = processes[name]!;
      expect(env['DATABASE_URL']?.value).toBe(
        `postgres://${schema}@payments-rw.databases.svc:5432/payments?sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt`,
      );
      expect(env['PGPASSWORD']?.valueFrom?.secretKeyRef).toEqual({
        name: 'group-payments-postgres',
        key: schema,
      });
      expect(env['DATABASE_NEXT_PASSWORD']?.valueFrom?.secretKeyRef).toEqual({
        name: 'group-payments-postgres',
        key: `next-${schema}`,
        optional: true,
      });
    }
  });
});
