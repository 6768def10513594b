import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { NAMESPACE } from '../constants.ts';
import { kubectl, until } from '../control-plane.ts';
import { workIn } from '../namespace.ts';
import { openIngress } from '../platform.ts';
import { inside } from '../space.ts';
import { findVolume } from '../volumes.ts';
import { awaitReady, namespaced } from './cluster.ts';

type Workload = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas: number };
};
/** Copies that each workload of the stopped release had. */
let stopped: readonly Workload[] = [];

/** Ends every pod of the Deployments of the release, or also of its servers. */
export async function stopRelease(...kinds: readonly ('deployments' | 'statefulsets')[]): Promise<void> {
  const read = kubectl(namespaced('get', kinds.join(), '--output', 'json'));
  const found = (JSON.parse(read) as { items: readonly Workload[] }).items;
  stopped = [...stopped, ...found.filter(({ spec }) => spec.replicas > 0)];
  for (const { kind, metadata } of found) scale(kind, metadata.name, 0);
  await until('the release has stopped', () => {
    const left = kubectl(namespaced('get', kinds.join(), '--output', 'jsonpath={.items[*].status.replicas}'));
    if (/[1-9]/.test(left)) throw new Error(`there are pods still: ${left}`);
  });
}

/** Starts again what `stopRelease` has ended, and lets the ingress lead there. */
export async function startRelease(): Promise<void> {
  for (const { kind, metadata, spec } of stopped) scale(kind, metadata.name, spec.replicas);
  stopped = [];
  awaitReady();
  await openIngress();
}

const scale = (kind: string, name: string, replicas: number): void =>
  void kubectl(namespaced('scale', `${kind.toLowerCase()}/${name}`, '--replicas', String(replicas)));

/** Takes a drill's own namespace away, and works with the release of the cluster again. */
export async function returnFrom(name: string): Promise<void> {
  workIn(name);
  kubectl(['delete', 'namespace', name, '--ignore-not-found', '--timeout', '3m']);
  const volumes = kubectl(['get', 'pv', '--output', 'name']).split('\n');
  for (const volume of volumes.filter((one) => one.includes(`/${name}-`))) kubectl(['delete', volume]);
  const folder = dirname(findVolume('any'));
  inside('sh', ['-c', 'for disk in "$1"/*; do umount "$disk" 2>/dev/null; done; true', 'sh', folder]);
  rmSync(folder, { recursive: true, force: true });
  workIn(NAMESPACE);
  await startRelease();
}
