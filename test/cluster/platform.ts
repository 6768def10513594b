import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.ts';
import { HOSTS, RELEASE } from './constants.ts';
import { kubectl, until } from './control-plane.ts';
import { namespace } from './namespace.ts';
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
  kubectl(['create', 'namespace', 'ingress-nginx']);
  offerCertificate('ingress', 'ingress-nginx');
  openNamespace();
  kubectl(['rollout', 'status', 'deployment/coredns', '--namespace', 'kube-system', '--timeout', '120s']);
}

/** Makes the namespace that is worked in, closed as the strictest pods want it, with volumes and the certificate of the ingress. */
export function openNamespace(): void {
  kubectl(['create', 'namespace', namespace()]);
  const level = 'restricted';
  const security = ['enforce', 'warn', 'audit'].map((mode) => `pod-security.kubernetes.io/${mode}=${level}`);
  kubectl(['label', 'namespace', namespace(), ...security]);
  offerVolumes();
  offerCertificate('group-payments-tls', namespace());
}

function offerCertificate(name: string, place: string): void {
  const file = (path: string) => readFileSync(inPki(path)).toString('base64');
  const data = { 'tls.crt': file('ingress.crt'), 'tls.key': file('ingress.key') };
  apply({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name, namespace: place },
    data,
  });
}

/** Runs helm against the namespace of the release and returns what it prints. */
export function helm(...args: readonly string[]): string {
  return runHelm([...args, '--namespace', namespace()]);
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
  releaseWith(command, [values(annotations)]);
}

/**
 * Installs a chart, or upgrades to it, with values over its quick start, the last ones over all; returns when all its pods are ready.
 * `flags` are more of Helm's.
 */
export function releaseWith(
  command: 'install' | 'upgrade',
  over: readonly object[],
  { folder = chart, flags = [] }: { readonly folder?: string; readonly flags?: readonly string[] } = {},
): void {
  const files = over.map((layer, index) => {
    const file = join(running, `values-${index}.json`);
    writeFileSync(file, JSON.stringify(layer));
    return file;
  });
  const layers = [join(folder, 'examples/quickstart.yaml'), ...files].flatMap((file) => ['--values', file]);
  helm(command, RELEASE, folder, ...layers, ...flags, '--wait', '--timeout', '10m');
}

/** Opens what the Ingress of the release that is worked with names; resolves when it answers. */
export async function openIngress(): Promise<void> {
  const list = <T>(kind: string) =>
    (JSON.parse(kubectl(['get', kind, '--all-namespaces', '--output', 'json'])) as { items: T[] }).items;
  const own = list<Ingress>('ingresses').filter(({ metadata }) => metadata.namespace === namespace());
  const text = renderIngress(own, list<Service>('services'));
  const metadata = { name: 'ingress', namespace: 'ingress-nginx' };
  apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'nginx.conf': text } });
  kubectl(manifest('ingress'));
  // The server reads its configuration when it starts.
  kubectl(['rollout', 'restart', 'deployment/ingress', '--namespace', 'ingress-nginx']);
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
    const lines = kubectl(['top', 'pods', '--namespace', namespace(), '--no-headers'], undefined, true);
    pods = lines.split('\n').filter((line) => line.trim() !== '').length;
    if (pods === 0) throw new Error('no pod has metrics');
  });
  return pods;
}
