import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '@gp/config';
import { openCluster, type Cluster } from './api-server.ts';
import { BUNDLED } from './bus/files.ts';
import { ask, render, type Manifest } from './helm.ts';
import { findPod, listDeployments, listPods } from './pods.ts';
import { loadConfiguration, processes, root, taskConfigurations } from './processes.ts';

const account = mkdtempSync(join(tmpdir(), 'gp-account-'));
writeFileSync(join(account, 'token'), 'a-token');
afterAll(() => rmSync(account, { recursive: true, force: true }));

let objects: Manifest[];
beforeAll(async () => {
  objects = await render({ example: 'quickstart' });
});

const findNamed = (list: readonly Manifest[], kind: string, name: string) =>
  list.find((object) => object.kind === kind && object.metadata.name === `gp-group-payments-${name}`)!;

/** Runs the program of the Job that makes secrets against a cluster, with the Job's own settings. */
function makeSecrets(cluster: Cluster, rendered: readonly Manifest[]) {
  const { env } = findPod(findNamed(rendered, 'Job', 'secrets'))!.spec.containers[0]!;
  const given = Object.fromEntries(env.map(({ name, value = '' }) => [name, value]));
  const settings = {
    ...given,
    API_SERVER: cluster.url,
    ACCOUNT_FOLDER: account,
    NODE_EXTRA_CA_CERTS: undefined,
  };
  const entry = join(root, 'services/installation/src/make-secrets.ts');
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, ['--no-warnings', entry], { env: settings }, (error, out, errors) =>
      resolve({ code: error?.code ?? 0, said: out + errors }),
    );
  });
}

function toSecret(name: string, values: Readonly<Record<string, string>>, resourceVersion = '1') {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, resourceVersion }, data };
}

describe('the secrets of a quick start', () => {
  it('the Job makes every key that a pod of the release reads, and each process and task accepts its own', async () => {
    const cluster = await openCluster([]);
    try {
      expect(await makeSecrets(cluster, objects)).toMatchObject({ code: 0 });
      const made = cluster.readSecrets();
      const tasks = await taskConfigurations();
      for (const { object, spec } of listPods(objects))
        for (const { env, args = [] } of spec.containers) {
          const values = env.map(({ name, value, valueFrom }) => {
            const ref = valueFrom?.secretKeyRef;
            return [name, value ?? made.get(ref!.name)?.[ref!.key], ref?.optional === true] as const;
          });
          const lacking = values.filter(([, value, isOptional]) => value === undefined && !isOptional);
          expect([object.metadata.name, lacking]).toEqual([object.metadata.name, []]);
          const task = /installation\/src\/(.+)\.js$/.exec(args[0] ?? '')?.[1];
          const folder = processes[object.metadata.labels!['app.kubernetes.io/component']!]?.folder;
          const schema = folder ? await loadConfiguration(folder) : task && tasks[task];
          const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
          if (schema) expect(() => readConfig(schema, given as NodeJS.ProcessEnv)).not.toThrow();
        }
    } finally {
      await cluster.close();
    }
  });

  it('a second run changes nothing, and a key that a later release needs is added to what is there', async () => {
    const cluster = await openCluster([]);
    try {
      await makeSecrets(cluster, objects);
      const before = JSON.stringify([...cluster.readSecrets()]);
      expect(await makeSecrets(cluster, objects)).toEqual({
        code: 0,
        said: 'every secret was there with all its keys\n',
      });
      expect(JSON.stringify([...cluster.readSecrets()])).toBe(before);
    } finally {
      await cluster.close();
    }
    const name = 'gp-group-payments-keys';
    const upgraded = await openCluster([toSecret(name, { 'api-key-pepper': 'kept' })]);
    try {
      expect((await makeSecrets(upgraded, objects)).said).toContain(`added keys to ${name}\n`);
      const { 'api-key-pepper': pepper, ...rest } = upgraded.readSecrets().get(name)!;
      expect(pepper).toBe('kept');
      expect(Object.keys(rest).length).toBeGreaterThan(7);
    } finally {
      await upgraded.close();
    }
  });

  it('NATS gets the public key of every identity that its configuration names, and those of exchanged seeds', async () => {
    const [seeds, users] = ['gp-group-payments-nats', 'gp-group-payments-nats-users'];
    const [setting, previous] = ['NATS_KEY_API_GATEWAY', 'NATS_KEY_API_GATEWAY_PREVIOUS'];
    const first = await openCluster([]);
    await makeSecrets(first, objects);
    const made = first.readSecrets();
    await first.close();
    const named = readFileSync(join(root, BUNDLED), 'utf8').matchAll(/\$(NATS_KEY_\w+)/g);
    expect(Object.keys(made.get(users)!).toSorted()).toEqual([...named].map(([, key]) => key).toSorted());

    const { 'api-gateway': current = '', 'previous-api-gateway': next = '' } = made.get(seeds)!;
    const exchanged = { ...made.get(seeds), 'api-gateway': next, 'previous-api-gateway': current };
    const rotated = await openCluster([toSecret(seeds, exchanged), toSecret(users, made.get(users)!)]);
    await makeSecrets(rotated, objects);
    const keys = rotated.readSecrets().get(users)!;
    await rotated.close();
    expect(keys).toEqual({
      ...made.get(users),
      [setting]: made.get(users)![previous],
      [previous]: made.get(users)![setting],
    });
  });

  it('a secret that somebody changes meanwhile keeps that change', async () => {
    const name = 'gp-group-payments-keys';
    const version = (resourceVersion: string, text: string) =>
      toSecret(name, { 'api-key-pepper': text }, resourceVersion);
    let writes = 0;
    const cluster = await openCluster([version('1', 'first')], (there) => {
      if (writes++ === 0) there.splice(0, 1, version('2', 'second'));
    });
    try {
      expect(await makeSecrets(cluster, objects)).toMatchObject({ code: 0 });
      expect(cluster.readSecrets().get(name)?.['api-key-pepper']).toBe('second');
    } finally {
      await cluster.close();
    }
  });

  it('the account of the Job reads and changes these secrets alone, and goes with the Job', () => {
    const { rules } = findNamed(objects, 'Role', 'secrets') as unknown as {
      rules: { resources: string[]; verbs: string[]; resourceNames?: string[] }[];
    };
    const { env } = findPod(findNamed(objects, 'Job', 'secrets'))!.spec.containers[0]!;
    const plan = JSON.parse(env.find(({ name }) => name === 'PLAN')!.value!) as object;
    for (const { resources, verbs, resourceNames } of rules) {
      expect(resources).toEqual(['secrets']);
      if (verbs.join() !== 'create') expect(resourceNames).toEqual(Object.keys(plan).toSorted());
    }
    for (const kind of ['Role', 'RoleBinding', 'ServiceAccount', 'Job'])
      expect(findNamed(objects, kind, 'secrets').metadata.annotations).toMatchObject({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      });
  });

  it('with servers of one’s own, the Job makes what the platform alone needs', async () => {
    const own = await render({ values: { generateSecrets: { enabled: true } } });
    const cluster = await openCluster([]);
    try {
      await makeSecrets(cluster, own);
      expect([...cluster.readSecrets().keys()].toSorted()).toEqual([
        'group-payments-keys',
        'group-payments-postgres',
      ]);
      const { errors } = await ask('template', {
        values: { generateSecrets: { enabled: true } },
        kubeconfig: cluster.kubeconfig,
      });
      expect(errors).toMatch(/group-payments-nats does not exist/);
      expect(errors).not.toMatch(/group-payments-(keys|postgres) /);
      // A password at somebody else's server cannot be made here.
      const mail = { url: 'smtp://mail.example.com', from: 'pay@example.com', user: 'pay' };
      const network = { mail: [{ ipBlock: { cidr: '192.0.2.1/32' } }] };
      const given = await ask('template', {
        values: { generateSecrets: { enabled: true }, mail, network },
        kubeconfig: cluster.kubeconfig,
      });
      expect(given.errors).toContain('- the secret group-payments-keys lacks mail-password\n');
    } finally {
      await cluster.close();
    }
  });
});

describe('the servers of a quick start', () => {
  it('every process has the address of a Service of the release', () => {
    for (const { container } of Object.values(listDeployments(objects)))
      for (const setting of ['DATABASE_URL', 'NATS_URL']) {
        const { hostname, port } = new URL(container.env.find(({ name }) => name === setting)!.value!);
        const { ports } = findNamed(objects, 'Service', hostname.replace('gp-group-payments-', '')).spec as {
          ports: { port: number }[];
        };
        expect(ports.map((one) => one.port)).toEqual([Number(port)]);
      }
  });

  it('no hook but the Job of the secrets comes before the servers, and the tasks wait for them', () => {
    const jobs = objects.filter(({ kind }) => kind === 'Job');
    const hooks = jobs.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    expect(hooks.map(({ metadata }) => metadata.name)).toEqual(['gp-group-payments-secrets']);
    for (const job of jobs.filter((one) => !hooks.includes(one)))
      expect(findPod(job)!.spec.containers[0]!.env).toContainEqual({ name: 'WAIT_SECONDS', value: '240' });
  });

  it('a volume keeps the data, or the pod does where no size is given', async () => {
    const claims = (list: readonly Manifest[]) =>
      list.filter(({ kind }) => kind === 'StatefulSet').map(({ spec }) => spec?.['volumeClaimTemplates']);
    expect(claims(objects)).toEqual([expect.any(Array), expect.any(Array)]);
    const values = { bundled: { storage: '' } };
    expect(claims(await render({ example: 'quickstart', values }))).toEqual([undefined, undefined]);
  });
});

describe('three NATS servers of a quick start', () => {
  type Spec = {
    replicas: number;
    podManagementPolicy?: string;
    selector: Record<string, string>;
    publishNotReadyAddresses?: boolean;
    ports: { port: number; targetPort: string }[];
  };
  const specOf = (list: readonly Manifest[], kind: string, name: string) =>
    findNamed(list, kind, name).spec as unknown as Spec;
  let three: Manifest[];
  beforeAll(async () => {
    three = await render({ example: 'quickstart', values: { bundled: { nats: { servers: 3 } } } });
  });

  it('every server has a route to each pod, which the others reach before it is ready', () => {
    const { replicas, podManagementPolicy } = specOf(three, 'StatefulSet', 'nats');
    expect([replicas, podManagementPolicy]).toEqual([3, 'Parallel']);
    const { args, ports = [] } = findPod(findNamed(three, 'StatefulSet', 'nats'))!.spec.containers[0]!;
    const routes = args
      .find((one) => one.startsWith('--routes='))!
      .replace('--routes=', '')
      .split(',');
    const names = routes.map((route) => new URL(route).hostname.replace('gp-group-payments-', ''));
    expect(names).toEqual(['nats-0', 'nats-1', 'nats-2']);
    for (const name of names) {
      const { selector, publishNotReadyAddresses, ports: open } = specOf(three, 'Service', name);
      expect(selector).toMatchObject({ 'statefulset.kubernetes.io/pod-name': `gp-group-payments-${name}` });
      expect([publishNotReadyAddresses, open]).toEqual([
        true,
        [{ name: 'peers', port: 6222, targetPort: 'peers' }],
      ]);
    }
    expect(ports).toContainEqual({ name: 'peers', containerPort: 6222 });
  });

  it('only the servers reach the port on which no permission applies, and each may reach the others', () => {
    type Peers = { podSelector?: { matchExpressions: { values: string[] }[] } }[];
    type Rules = { from?: Peers; to?: Peers; ports: object[] }[];
    const { ingress, egress } = findNamed(three, 'NetworkPolicy', 'nats').spec as {
      ingress: Rules;
      egress: Rules;
    };
    const listPeers = (rules: Rules) =>
      rules
        .filter(({ ports }) => JSON.stringify(ports).includes('peers'))
        .flatMap(({ from = [], to = [] }) => [...from, ...to])
        .flatMap(({ podSelector }) => podSelector!.matchExpressions.map(({ values }) => values));
    expect([listPeers(ingress), listPeers(egress)]).toEqual([[['nats']], [['nats']]]);
  });

  it('each stream has a copy on each server, and one server at a time may be evicted', async () => {
    const copiesOf = (list: readonly Manifest[]) =>
      list
        .flatMap((object) => findPod(object)?.spec.containers[0]?.env ?? [])
        .find(({ name }) => name === 'STREAM_REPLICAS')?.value;
    expect([copiesOf(three), copiesOf(objects)]).toEqual(['3', '1']);
    expect(findNamed(three, 'PodDisruptionBudget', 'nats').spec).toMatchObject({ maxUnavailable: 1 });
    expect(findNamed(objects, 'PodDisruptionBudget', 'nats')).toBeUndefined();
    const { errors } = await ask('template', {
      example: 'quickstart',
      values: { bundled: { nats: { servers: 2 } } },
    });
    expect(errors).toMatch(/servers/);
  });
});

describe('the way into a quick start', () => {
  it('the test of the release signs up by the mailbox of the dashboard, which only this pod has', () => {
    const test = findPod(findNamed(objects, 'Pod', 'smoke-test'))!.spec.containers[0]!;
    expect(test.env).toContainEqual({ name: 'SIGN_UP', value: 'true' });
    const addresses = test.env.find(({ name }) => name === 'SERVICES')?.value;
    for (const name of ['api-gateway', 'merchant-dashboard', 'psp-sandbox'])
      expect(addresses).toContain(`${name}=http://gp-group-payments-${name}:`);
    const withMailbox = Object.entries(listDeployments(objects)).filter(([, { spec }]) =>
      JSON.stringify(spec['volumes'] ?? []).includes('mailbox'),
    );
    expect(withMailbox.map(([name]) => name)).toEqual(['merchant-dashboard']);
  });

  it('the commands that Helm prints forward every address of the values to a port that listens', async () => {
    const { output } = await ask('notes', { example: 'quickstart' });
    const forwards = [...output.matchAll(/service\/(\S+) (\d+):(\d+) &/g)].map(([, ...found]) => found);
    expect(forwards.map(([, local]) => local).toSorted()).toEqual([
      '8080',
      '8081',
      '8082',
      '8090',
      '8094',
      '8095',
    ]);
    for (const [service = '', , port] of forwards) {
      const { ports } = findNamed(objects, 'Service', service.replace('gp-group-payments-', '')).spec as {
        ports: { port: number }[];
      };
      expect(ports.map((one) => String(one.port))).toContain(port);
    }
  });

  it('a browser that a process sends to its own address comes to that process, also on the way back from a bank', async () => {
    const { output } = await ask('notes', { example: 'quickstart' });
    const addresses = Object.entries(listDeployments(objects)).flatMap(([name, { container }]) => {
      const address = container.env.find((one) => one.name === 'PUBLIC_URL')?.value;
      return address === undefined ? [] : [[name, new URL(address).port]];
    });
    expect(addresses.length).toBeGreaterThan(1);
    for (const [name, port] of addresses)
      expect(output).toContain(`service/gp-group-payments-${name} ${port}:`);
  });
});
