import { HOSTS, RELEASE } from '../constants.ts';
import { kubectl } from '../control-plane.ts';
import { findSocket } from '../configuration.ts';
import { namespace } from '../namespace.ts';
import { inside } from '../space.ts';

/** A pod of the release. */
export type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    /** There is one where the pod is about to end. */
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly nodeName: string };
  readonly status: {
    readonly podIP: string;
    readonly containerStatuses?: readonly { readonly containerID: string }[];
  };
};

/** What has one copy in a cluster for trying out, so that its loss is an interruption by design. */
const SINGLE = ['psp-sandbox', 'merchant-dashboard'];

export const namespaced = (...args: readonly string[]): string[] => [...args, '--namespace', namespace()];

/** Names of all pods of the platform's processes. */
export function listProcessPods(): readonly string[] {
  return [...listPods(true).values()].flat().map(({ metadata }) => metadata.name);
}

/** The pods of the platform's processes, grouped by their process; those that have no second copy on demand only. */
export function listPods(isSingleToo = false): ReadonlyMap<string, readonly Pod[]> {
  const deployments = new Set(listNames('deployments'));
  const pods = readJson<{ items: readonly Pod[] }>('get', 'pods').items;
  const process = ({ metadata }: Pod) => metadata.labels['app.kubernetes.io/component'] ?? '';
  const copied = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter(
      (pod) => deployments.has(fullName(process(pod))) && (isSingleToo || !SINGLE.includes(process(pod))),
    );
  return Map.groupBy(copied, process);
}

/** The pods of a server of the release: `postgres` or `nats`. */
export function listServers(name: string): readonly Pod[] {
  const ofServer = ['--selector', `app.kubernetes.io/component=${name}`];
  return readJson<{ items: readonly Pod[] }>('get', 'pods', ...ofServer).items;
}

/** The address of the service of a server: its name is known to pods only. */
export function findAddress(name: string): string {
  return readJson<{ spec: { clusterIP: string } }>('get', 'service', fullName(name)).spec.clusterIP;
}

export const fullName = (process: string): string => `${RELEASE}-group-payments-${process}`;

/** Waits until every Deployment and StatefulSet, or those of one kind, have all their pods ready; throws after three minutes. */
export function awaitReady(...only: readonly ('deployments' | 'statefulsets')[]): void {
  for (const kind of only.length > 0 ? only : ['deployments', 'statefulsets'])
    for (const name of listNames(kind))
      kubectl(namespaced('rollout', 'status', `${kind}/${name}`, '--timeout', '180s'));
}

/** Ends the processes of a pod's containers at once, as the kernel does when memory runs out. */
export function killContainers({ spec, status }: Pod): void {
  for (const { containerID } of status.containerStatuses ?? [])
    inside('ctr', [
      ...['--address', findSocket(spec.nodeName), '--namespace', 'k8s.io'],
      ...['tasks', 'kill', '--signal', 'SIGKILL', containerID.replace('containerd://', '')],
    ]);
}

export type Values = Readonly<Record<string, string>>;

/** The secret of the namespace that has a key. */
export function findSecret(key: string): { readonly name: string; readonly data: Values } {
  type Secret = { readonly metadata: { readonly name: string }; readonly data?: Values };
  const { items } = readJson<{ items: readonly Secret[] }>('get', 'secrets');
  const found = items.find(({ data }) => data?.[key] !== undefined);
  if (found === undefined) throw new Error(`no secret has the key ${key}`);
  const decode = (value: string) => Buffer.from(value, 'base64').toString();
  const values = Object.entries(found.data ?? {}).map(([name, value]) => [name, decode(value)]);
  return { name: found.metadata.name, data: Object.fromEntries(values) as Values };
}

export const readSecret = (key: string): string => findSecret(key).data[key] ?? '';

/** Sets keys of a secret; null takes a key away. */
export function patchSecret(name: string, changes: Readonly<Record<string, string | null>>): void {
  const encode = (value: string | null) => (value === null ? null : Buffer.from(value).toString('base64'));
  const data = Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, encode(value)]));
  kubectl(namespaced('patch', 'secret', name, '--type', 'merge', '--patch', JSON.stringify({ data })));
}

/** Addresses of the platform, as the outside of the cluster names them. */
export const urls = Object.fromEntries(
  Object.entries(HOSTS).map(([name, host]) => [`${name.toUpperCase()}_URL`, `https://${host}`]),
);

export function listNames(kind: string): readonly string[] {
  const list = readJson<{ items: readonly { metadata: { name: string } }[] }>('get', kind);
  return list.items.map(({ metadata }) => metadata.name);
}

function readJson<T>(...args: readonly string[]): T {
  return JSON.parse(kubectl(namespaced(...args, '--output', 'json'))) as T;
}
