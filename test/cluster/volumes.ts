import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { NODES, RELEASE } from './constants.ts';
import { kubectl } from './control-plane.ts';
import { namespace } from './namespace.ts';
import { running } from './paths.ts';
import { inside } from './space.ts';

/** Size of a NATS server's disk: small enough to be filled. */
const NATS_DISK = '512m';

/** The folder that is the volume of a pod, such as `nats-0`. */
export const findVolume = (pod: string): string => join(running, 'volumes', namespace(), pod);

/** Folders of the nodes as the volumes of the servers, which keep their data when a pod goes: one NATS server is on the second node. */
export function offerVolumes(): void {
  const [still, other] = NODES.map(({ zone }) => zone);
  offerVolume('postgres-0', still);
  for (const [name, zone] of Object.entries({ 'nats-0': still, 'nats-1': still, 'nats-2': other })) {
    offerVolume(name, zone);
    inside('mount', ['-t', 'tmpfs', '-o', `size=${NATS_DISK},mode=0777`, name, findVolume(name)]);
  }
}

/** The object that offers the volume of a pod. */
export const nameVolume = (pod: string): string => `${namespace()}-${pod}`;

/** Offers a folder of the node in a zone as the volume of a server's pod. */
export function offerVolume(pod: string, zone: string | undefined): void {
  const path = findVolume(pod);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o777);
  const isThere = { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] };
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: nameVolume(pod) },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [isThere] }] } },
      claimRef: { namespace: namespace(), name: `data-${RELEASE}-group-payments-${pod}` },
    },
  };
  kubectl(['apply', '--filename', '-'], JSON.stringify(volume));
}
