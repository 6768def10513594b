import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.ts';
import { HOSTS, NAMESPACE, RELEASE } from './constants.ts';
import { kubectl, until } from './control-plane.ts';
import { renderIngress, type Ingress, type Service } from './ingress.ts';
import { here, kubeconfig, root, running } from './paths.ts';
import { inPki } from './pki.ts';
import { inside } from './space.ts';
import { orUnavailable } from './programs.ts';
import { values } from './values.ts';
import { offerVolumes } from './volumes.ts';

export const chart = join(root, 'charts/group-payments');
const manifest = (name: string) => ['apply', '--filename', join(here, 'manifests', `${name}.yaml`)];
const apply = (object: unknown) => kubectl(['apply', '--filename', '-'], JSON.stringify(object));

/** Starts names, metrics and the namespaces; resolves when names are answered. */
export function startAddons(): void {
  kubectl(manifest('dns'));
  kubectl(manifest('metrics'));
  offerVolumes();
  for (const name of [NAMESPACE, 'ingress-nginx']) kubectl(['create', 'namespace', name]);
  const level = 'restricted';
  const security = ['enforce', 'warn', 'audit'].map((mode) => `pod-security.kubernetes.io/${mode}=${level}`);
  kubectl(['label', 'namespace', NAMESPACE, ...security]);
  const certificate = (name: string, namespace: string) => {
    const file = (path: string) => readFileSync(inPki(path)).toString('base64');
    const data = { 'tls.crt': file('ingress.crt'), 'tls.key': file('ingress.key') };
    apply({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name, namespace },
      data,
    });
  };
  certificate('group-payments-tls', NAMESPACE);
  certificate('ingress', 'ingress-nginx');
  kubectl(['rollout', 'status', 'deployment/coredns', '--namespace', 'kube-system', '--timeout', '120s']);
}

/** Runs helm against the namespace of the release and returns what it prints. */
export function helm(...args: readonly string[]): string {
  return runHelm([...args, '--namespace', NAMESPACE]);
}

/** Runs helm against the cluster and returns what it prints; `quiet` keeps what it says of its errors in the error. */
export function runHelm(args: readonly string[], quiet = false): string {
  const program = orUnavailable('there is no helm', () =>
    run('sh', ['.configs/tools.sh', 'helm'], { cwd: root }).trim(),
  );
  const env = { KUBECONFIG: kubeconfig('admin'), HOME: running };
  return inside(program, args, { env, cwd: root, quiet });
}

/** Installs the chart, or upgrades it with `annotations` for every pod; returns when all its pods are ready. */
export function release(
  command: 'install' | 'upgrade',
  annotations: Readonly<Record<string, string>> = {},
): void {
  const file = join(running, 'values.json');
  writeFileSync(file, JSON.stringify(values(annotations)));
  const files = ['--values', join(chart, 'examples/quickstart.yaml'), '--values', file];
  helm(command, RELEASE, chart, ...files, '--wait', '--timeout', '10m');
}

/** Opens what the chart's Ingress names; resolves when it answers. */
export async function openIngress(): Promise<void> {
  const list = <T>(kind: string) =>
    (JSON.parse(kubectl(['get', kind, '--all-namespaces', '--output', 'json'])) as { items: T[] }).items;
  const text = renderIngress(list<Ingress>('ingresses'), list<Service>('services'));
  const metadata = { name: 'ingress', namespace: 'ingress-nginx' };
  apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'nginx.conf': text } });
  kubectl(manifest('ingress'));
  kubectl(['rollout', 'status', 'deployment/ingress', '--namespace', 'ingress-nginx', '--timeout', '120s']);
  const look = ['--input-type=module', '--eval', `await fetch('https://${HOSTS.api}/')`];
  const env = { NODE_EXTRA_CA_CERTS: inPki('ca.crt') };
  await until('the ingress answers', () => inside(process.execPath, look, { env, quiet: true }));
}

/** Signs a merchant up and pays a group of it as a customer outside the cluster would; returns what was paid. */
export function payThroughIngress(): string {
  const env = {
    NODE_EXTRA_CA_CERTS: inPki('ca.crt'),
    API_URL: `https://${HOSTS.api}`,
    DASHBOARD_URL: `https://${HOSTS.dashboard}`,
    SANDBOX_URL: `https://${HOSTS.sandbox}`,
  };
  const program = join(root, 'services/installation/src/demo-group.ts');
  return inside(process.execPath, ['--no-warnings', program], { env }).trim();
}

/** Resolves with the number of pods whose metrics are known, once there is one. */
export async function readMetrics(): Promise<number> {
  let pods = 0;
  await until('metrics of pods', () => {
    const lines = kubectl(['top', 'pods', '--namespace', NAMESPACE, '--no-headers'], undefined, true);
    pods = lines.split('\n').filter((line) => line.trim() !== '').length;
    if (pods === 0) throw new Error('no pod has metrics');
  });
  return pods;
}
